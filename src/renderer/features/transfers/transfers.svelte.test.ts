import { describe, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import type { Transfer } from '../../../contract/bridge/transfer-values.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { asked, at, button, MIB, ok, row, tell, transfer } from './transfers.fixture.ts'
import Transfers from './Transfers.svelte'
import { transfers } from './transfers.svelte.ts'

describe('the transfers', () => {
  it('say what to do while there are none', async () => {
    await render(Transfers)
    await expect.element(page.getByRole('region', { name: 'Transfers' })).toHaveFocus()
    await expect.element(page.getByRole('heading', { name: 'No transfers' })).toBeVisible()
  })

  it('tell the bytes that are confirmed, the rate and the time left', async () => {
    const moving = { bytesDone: 2.5 * MIB, rate: 1.5 * MIB, secondsLeft: 65, files: 3, filesDone: 1 }
    at.all.items = [transfer('world', moving)]
    await render(Transfers)
    const bar = page.getByRole('progressbar', { name: 'Progress of world' })
    await expect.element(bar).toHaveAttribute('aria-valuenow', '25')
    await expect
      .element(row('world'))
      .toMatchTextContent(/2\.5 MB of 10 MB · 1 of 3 files · 1\.5 MB\/s · 1 min 5 sec left/)
    tell(transfer('world', { ...moving, bytesDone: 10 * MIB - 1 }))
    // All but one byte is not all.
    await expect.element(bar).toHaveAttribute('aria-valuenow', '99')
    tell(transfer('world', { ...moving, state: 'paused' }))
    await expect.element(row('world')).not.toMatchTextContent(/left/)
  })

  it('are called by the first of what was picked and how many more, in the language of the moment', async () => {
    at.all.items = [transfer('huge.bin', { files: 2, others: 1 }), transfer('tree', { files: 90 })]
    await render(Transfers)
    await expect.element(row('huge.bin and 1 more')).toBeVisible()
    await expect.element(row('tree')).toBeVisible()
    await expect.element(button('Pause huge.bin and 1 more')).toBeVisible()
    tell(transfer('huge.bin', { files: 4, others: 1200 }))
    await expect.element(row('huge.bin and 1,200 more')).toBeVisible()
    await useLanguage('de')
    onTestFinished(() => useLanguage('en'))
    await expect.element(row('huge.bin und 1.200 weitere Elemente')).toBeVisible()
    tell(transfer('huge.bin', { files: 2, others: 1 }))
    await expect.element(row('huge.bin und 1 weiteres Element')).toBeVisible()
  })

  it('count empty files where there are no bytes', async () => {
    at.all.items = [transfer('empty', { bytes: 0, files: 4, filesDone: 1 })]
    await render(Transfers)
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  })

  it('are paused, resumed, and canceled only after a question', async () => {
    at.all.items = [transfer('a'), transfer('b', { state: 'paused' })]
    await render(Transfers)
    await userEvent.click(button('Pause a'))
    await userEvent.click(button('Resume b'))
    await userEvent.click(button('Cancel a'))
    expect(asked('transfers.cancel')).toEqual([])
    await userEvent.click(button('Cancel transfer'))
    await expect.poll(() => asked('transfers.cancel')).toEqual([{ transferId: 'a' }])
    expect(asked('transfers.pause')).toEqual([{ transferId: 'a' }])
    expect(asked('transfers.resume')).toEqual([{ transferId: 'b' }])
  })

  it('change their order by buttons and by keys', async () => {
    at.all.items = ['a', 'b', 'c'].map((id) => transfer(id, { state: 'waiting' }))
    await render(Transfers)
    await expect.element(button('Move a up')).toBeDisabled()
    await userEvent.click(button('Move a down'))
    await userEvent.click(button('Move b down'))
    button('Pause c').element().focus()
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(asked('transfers.reorder')).toEqual([
      { transferId: 'a', before: 'c' },
      { transferId: 'b', before: null },
      { transferId: 'c', before: 'b' },
    ])
  })

  it('ask what to do where a name is taken, for one or for all', async () => {
    const asking = { itemId: 'i', path: 'a/b.jar', size: 2 * MIB, theirs: { size: MIB, modifiedAt: null } }
    at.all.items = [transfer('mods', { state: 'asking', files: 9, asking })]
    await render(Transfers)
    await expect.element(page.getByText('“a/b.jar” already exists.')).toBeVisible()
    await expect.element(page.getByText('Existing: 1 MB · New: 2 MB')).toBeVisible()
    await userEvent.click(button('Keep both'))
    await userEvent.click(page.getByRole('checkbox', { name: 'Do this for all in this transfer' }))
    await userEvent.click(button('Skip'))
    const answer = { transferId: 'mods', itemId: 'i' }
    expect(asked('transfers.answer')).toEqual([
      { ...answer, choice: 'keep-both', forAll: false },
      { ...answer, choice: 'skip', forAll: true },
    ])
  })

  it('keep the focus with what it was on, whichever list that is in now', async () => {
    at.all.items = [transfer('a'), transfer('b', { state: 'failed', endedAt: '2026-01-01T00:00:00Z' })]
    const becomes = (id: string, change: Partial<Transfer> | null) => () => {
      const items = at.all.items.flatMap((one) =>
        one.id !== id ? [one] : change ? [{ ...one, ...change }] : [],
      )
      at.all = { ...at.all, items }
      return ok
    }
    at.way.answer('transfers.pause', becomes('a', { state: 'paused' }))
    at.way.answer('transfers.cancel', becomes('a', { state: 'cancelled', endedAt: '2026-01-01T00:00:00Z' }))
    at.way.answer('transfers.retry', becomes('b', { state: 'running', endedAt: null }))
    at.way.answer('transfers.clear', becomes('a', null))
    await render(Transfers)
    const press = async (name: string) => {
      button(name).element().focus()
      await userEvent.keyboard('{Enter}')
    }
    await press('Pause a')
    await expect.element(button('Resume a')).toHaveFocus()
    await press('Cancel a')
    await press('Cancel transfer')
    await expect.element(row('a')).toMatchTextContent(/Canceled/)
    await expect.element(button('Files of a')).toHaveFocus()
    await press('Try again')
    await expect.element(row('b')).toMatchTextContent(/In progress/)
    await expect.element(button('Files of b')).toHaveFocus()
    await press('Clear history')
    await expect.element(page.getByRole('region', { name: 'Transfers' })).toHaveFocus()
  })

  it('are cleared, and limited in speed and number', async () => {
    at.all.items = [transfer('old', { state: 'done', bytesDone: 10 * MIB, filesDone: 1 })]
    await render(Transfers)
    await userEvent.click(button('Remove old from history'))
    await userEvent.click(button('Clear history'))
    expect(asked('transfers.clear')).toEqual([{ transferId: 'old' }, {}])
    // The second is chosen while main has not answered the first yet: it must not take that back.
    const first = Promise.withResolvers<void>()
    at.way.answer('transfers.limit', async (limits) => {
      await first.promise
      at.all = { ...at.all, ...limits }
      return ok
    })
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Speed limit' }), '1 MB/s')
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Files at once' }), '4')
    first.resolve()
    await expect
      .poll(() => asked('transfers.limit'))
      .toEqual([
        { limit: MIB, atOnce: 2 },
        { limit: MIB, atOnce: 4 },
      ])
  })

  it('keep what was known while they cannot be read, and why that is', async () => {
    let broken = true
    const problem = { code: 'internal' as const, message: 'x', retryable: true }
    window.panel = at.way = new ScriptedBridge({
      'transfers.list': () => (broken ? { ok: false, problem } : { ok: true, value: at.all }),
    })
    const known = transfers.now
    await render(Transfers)
    await expect.poll(() => transfers.problem?.code).toBe('internal')
    expect(transfers.now).toBe(known)
    broken = false
    await transfers.read()
    expect(transfers.problem).toBeNull()
  })
})
