import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import type { Transfer, TransferItem, Transfers as All } from '../../../contract/bridge/transfer-values.ts'
import '../../app/theme.css'
import { ScriptedWay } from '../../core/scripted-way.fixture.ts'
import { panel } from '../../core/panel.svelte.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { announced, dismiss, notices } from '../../ui/notices.svelte.ts'
import TransfersButton from './TransfersButton.svelte'
import Transfers from './Transfers.svelte'
import { transfers } from './transfers.svelte.ts'

const MIB = 1024 * 1024
let all: All
let items: TransferItem[]
let way: ScriptedWay

const transfer = (id: string, change: Partial<Transfer> = {}): Transfer => ({
  id,
  kind: 'upload',
  state: 'running',
  name: id,
  others: 0,
  server: { connectionId: 'c', serverId: 's' },
  from: null,
  folder: 'plugins',
  files: 1,
  filesDone: 0,
  filesFailed: 0,
  filesSkipped: 0,
  bytes: 10 * MIB,
  bytesDone: 0,
  rate: null,
  secondsLeft: null,
  problem: null,
  asking: null,
  createdAt: '2026-01-01T00:00:00Z',
  endedAt: null,
  ...change,
})
const ok = { ok: true as const, value: undefined }
const unknown = { ok: false as const, problem: { code: 'offline', message: '', retryable: true } as const }
const panelAnswers = {
  'connections.list': () => unknown,
  'settings.read': () => unknown,
  'app.info': () => unknown,
}

beforeEach(() => {
  transfers.hide()
  for (const notice of notices()) dismiss(notice.id)
  all = { items: [], limit: null, atOnce: 2 }
  items = []
  way = new ScriptedWay({
    'transfers.list': () => ({ ok: true, value: all }),
    'transfers.items': ({ only, offset, limit }) => {
      const fitting = items.filter((item) => only === 'all' || item.state === 'failed')
      return { ok: true, value: { items: fitting.slice(offset, offset + limit), total: fitting.length } }
    },
    'transfers.pause': () => ok,
    'transfers.resume': () => ok,
    'transfers.cancel': () => ok,
    'transfers.retry': () => ok,
    'transfers.reorder': () => ok,
    'transfers.answer': () => ok,
    'transfers.clear': () => ok,
    ...panelAnswers,
  })
  window.panel = way
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (name: string) => page.getByRole('listitem', { name, exact: true })
const asked = (name: string) => way.called.filter((one) => one.name === name).map((one) => one.input)
function tell(...now: Transfer[]): void {
  all = { ...all, items: now }
  way.send('transfers', all)
}

describe('the transfers', () => {
  it('say what to do while there are none', async () => {
    await render(Transfers)
    await expect.element(page.getByRole('region', { name: 'Transfers' })).toHaveFocus()
    await expect.element(page.getByRole('heading', { name: 'No transfers' })).toBeVisible()
  })

  it('tell the bytes that are confirmed, the rate and the time left', async () => {
    const moving = { bytesDone: 2.5 * MIB, rate: 1.5 * MIB, secondsLeft: 65, files: 3, filesDone: 1 }
    all.items = [transfer('world', moving)]
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
    all.items = [transfer('huge.bin', { files: 2, others: 1 }), transfer('tree', { files: 90 })]
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

  it('show no rate and no time left that nobody knows any more', async () => {
    all.items = [transfer('a', { rate: MIB, secondsLeft: 5, bytesDone: MIB, files: 2 })]
    items = [
      {
        ...{ id: '1', path: 'a', kind: 'file', size: 9, bytesDone: 1, rate: MIB, secondsLeft: 5 },
        ...{ state: 'running', finalPath: null, problem: null },
      },
    ]
    panel.start()
    await render(Transfers)
    await userEvent.click(button('Files of a'))
    const files = page.getByRole('list', { name: 'Files of a' })
    await expect.element(files).toMatchTextContent(/1 MB\/s · 5 sec left/)
    await expect.element(row('a')).toMatchTextContent(/1 MB\/s · 5 sec left/)
    way.reach(false)
    onTestFinished(() => way.reach(true))
    await expect.element(page.getByText(/^The panel cannot be reached/)).toBeVisible()
    await expect.element(row('a')).not.toMatchTextContent(/left|MB\/s/)
    await expect.element(files).not.toMatchTextContent(/left|MB\/s/)
  })

  it('show all files of a large one, a page at a time, by keyboard too', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n): TransferItem => ({
        ...{
          id: String(n),
          path: `f${n}`,
          kind: 'file',
          size: 1,
          bytesDone: 0,
          rate: null,
          secondsLeft: null,
          finalPath: null,
        },
        ...{ state: n < 2 ? 'failed' : 'waiting', problem: null },
      }))
    items = many(1234)
    const large = transfer('large', { files: 1234, filesFailed: 2 })
    all.items = [large]
    await render(Transfers)
    await userEvent.click(button('Files of large'))
    const files = page.getByRole('list', { name: 'Files of large' }).getByRole('listitem')
    await expect.poll(() => files.elements().length).toBe(2)
    expect(page.getByRole('group', { name: 'Pages' }).elements()).toEqual([])
    await userEvent.click(button('All'))
    const pages = page.getByRole('group', { name: 'Pages' })
    const range = pages.getByRole('status')
    await expect.element(range).toHaveTextContent('1 to 500 of 1,234')
    expect(files.elements().length).toBe(500)
    await expect.element(button('Previous files')).toHaveAttribute('aria-disabled', 'true')

    button('Next files').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(range).toHaveTextContent('501 to 1,000 of 1,234')
    await expect.element(files.first()).toMatchTextContent(/^f500/)
    await expect.element(button('Next files')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(range).toHaveTextContent('1,001 to 1,234 of 1,234')
    await expect.element(files.last()).toMatchTextContent(/^f1233/)
    await userEvent.keyboard('{Enter}')
    await userEvent.click(button('First files'))
    await expect.element(range).toHaveTextContent('1 to 500 of 1,234')
    await userEvent.click(button('Last files'))
    await expect.element(range).toHaveTextContent('1,001 to 1,234 of 1,234')

    // What is shown is done with, so the last page is an earlier one.
    items = many(700)
    tell({ ...large, files: 700 })
    await expect.element(range).toHaveTextContent('501 to 700 of 700')
    const limits = asked('transfers.items').map((input) => (input as { limit: number }).limit)
    expect(new Set(limits)).toEqual(new Set([500]))
  })

  it('count empty files where there are no bytes', async () => {
    all.items = [transfer('empty', { bytes: 0, files: 4, filesDone: 1 })]
    await render(Transfers)
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  })

  it('are paused, resumed, and cancelled only after a question', async () => {
    all.items = [transfer('a'), transfer('b', { state: 'paused' })]
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
    all.items = ['a', 'b', 'c'].map((id) => transfer(id, { state: 'waiting' }))
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
    all.items = [transfer('mods', { state: 'asking', files: 9, asking })]
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

  it('tell of each file how fast it moves and how long it still takes', async () => {
    const item = { kind: 'file' as const, size: 4 * MIB, finalPath: null, problem: null }
    const stands = { bytesDone: 0, rate: null, secondsLeft: null, state: 'waiting' as const }
    const moves = { bytesDone: MIB, rate: 1.5 * MIB, secondsLeft: 2, state: 'running' as const }
    items = [
      { ...item, ...moves, id: '1', path: 'r.0.0.mca' },
      { ...item, ...stands, id: '2', path: 'level.dat' },
    ]
    all.items = [transfer('tree', { files: 2 })]
    await render(Transfers)
    await userEvent.click(button('Files of tree'))
    const files = page.getByRole('list', { name: 'Files of tree' }).getByRole('listitem')
    await expect
      .element(files.first())
      .toMatchTextContent(/r\.0\.0\.mca\s*1 MB of 4 MB · in progress · 1\.5 MB\/s · 2 sec left/)
    await expect.element(files.nth(1)).not.toMatchTextContent(/left|\/s/)
  })

  it('tell one rate, not two, of a file that is moved alone, and unfold it for a screen reader too', async () => {
    const now = { bytesDone: MIB, rate: 1.5 * MIB, secondsLeft: 65 }
    all.items = [transfer('one.bin', now)]
    items = [
      {
        kind: 'file',
        id: '1',
        path: 'one.bin',
        size: 10 * MIB,
        finalPath: null,
        problem: null,
        ...{ bytesDone: MIB, rate: MIB, secondsLeft: 99, state: 'running' },
      },
    ]
    await render(Transfers)
    await expect.element(button('Files of one.bin')).toHaveAttribute('aria-expanded', 'false')
    await userEvent.click(button('Files of one.bin'))
    await expect.element(button('Files of one.bin')).toHaveAttribute('aria-expanded', 'true')
    const file = page.getByRole('list', { name: 'Files of one.bin' }).getByRole('listitem')
    await expect.element(file).toMatchTextContent(/1\.5 MB\/s · 1 min 5 sec/)
    expect(file.element().textContent).not.toContain('99')
  })

  it('keep the focus with what it was on, whichever list that is in now', async () => {
    all.items = [transfer('a'), transfer('b', { state: 'failed', endedAt: '2026-01-01T00:00:00Z' })]
    const becomes = (id: string, change: Partial<Transfer> | null) => () => {
      const items = all.items.flatMap((one) =>
        one.id !== id ? [one] : change ? [{ ...one, ...change }] : [],
      )
      all = { ...all, items }
      return ok
    }
    way.answer('transfers.pause', becomes('a', { state: 'paused' }))
    way.answer('transfers.cancel', becomes('a', { state: 'cancelled', endedAt: '2026-01-01T00:00:00Z' }))
    way.answer('transfers.retry', becomes('b', { state: 'running', endedAt: null }))
    way.answer('transfers.clear', becomes('a', null))
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

  it('list what failed with the reason, and try only that again', async () => {
    const problem = { code: 'too-large' as const, message: '', retryable: false }
    const item = {
      path: 'region/r.0.0.mca',
      kind: 'file' as const,
      size: 5,
      bytesDone: 0,
      rate: null,
      secondsLeft: null,
      finalPath: null,
    }
    items = [
      { ...item, id: '1', state: 'failed', problem },
      { ...item, id: '2', path: 'level.dat', state: 'done', bytesDone: 5, problem: null },
    ]
    all.items = [transfer('world', { state: 'failed', files: 2, filesDone: 1, filesFailed: 1 })]
    await render(Transfers)
    await userEvent.click(button('Files of world'))
    const files = page.getByRole('list', { name: 'Files of world' })
    await expect
      .element(files)
      .toMatchTextContent(/region\/r\.0\.0\.mca.*This is larger than the service accepts/)
    await expect.element(files).not.toMatchTextContent(/level\.dat/)
    await userEvent.click(button('All'))
    await expect.element(files).toMatchTextContent(/level\.dat/)
    await userEvent.click(button('Retry 1 file'))
    expect(asked('transfers.retry')).toEqual([{ transferId: 'world' }])
  })

  it('are cleared, and limited in speed and number', async () => {
    all.items = [transfer('old', { state: 'done', bytesDone: 10 * MIB, filesDone: 1 })]
    await render(Transfers)
    await userEvent.click(button('Remove old from history'))
    await userEvent.click(button('Clear history'))
    expect(asked('transfers.clear')).toEqual([{ transferId: 'old' }, {}])
    // The second is chosen while main has not answered the first yet: it must not take that back.
    const first = Promise.withResolvers<void>()
    way.answer('transfers.limit', async (limits) => {
      await first.promise
      all = { ...all, ...limits }
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
    window.panel = way = new ScriptedWay({
      'transfers.list': () => (broken ? { ok: false, problem } : { ok: true, value: all }),
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

describe('what is told of them', () => {
  it('goes when they are shown, and is not told while they are', async () => {
    all.items = [transfer('a'), transfer('b')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/2 transfers/)
    tell(transfer('a', { state: 'asking' }), transfer('b'))
    expect(notices()).toHaveLength(1)
    await render(Transfers)
    expect(notices()).toEqual([])
    tell(transfer('a', { state: 'asking' }), transfer('b', { state: 'failed', filesFailed: 1 }))
    expect([notices(), announced()]).toEqual([[], 'Not transferred: b'])
  })

  it('is no longer said once it was answered, tried again or taken away', async () => {
    const both = { state: 'failed', filesFailed: 1 } as const
    all.items = [transfer('a'), transfer('b'), transfer('c')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/3 transfers/)
    tell(transfer('a', { state: 'asking' }), transfer('b', both), transfer('c', both))
    expect(notices()).toHaveLength(3)
    tell(transfer('a'), transfer('b', both), transfer('c', both))
    expect(notices()).toHaveLength(2)
    tell(transfer('a'), transfer('b'))
    expect(notices()).toEqual([])
  })

  it('does not call done what was skipped', async () => {
    all.items = [transfer('a')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/1 transfer /)
    tell(transfer('a', { state: 'done', filesSkipped: 1 }))
    expect(announced()).toBe('Transfer finished: a · 1 skipped')
  })
})

describe('the line at the bottom', () => {
  it('says how much is in progress, and opens the list', async () => {
    all.items = [transfer('a', { bytesDone: 9 * MIB }), transfer('b')]
    await render(TransfersButton)
    const way = page.getByRole('button', { name: /Transfers/ })
    await expect.element(way).toMatchTextContent(/2 transfers · 45%/)
    await userEvent.click(way)
    expect(transfers.open).toBe(true)
    await expect.element(way).toHaveAttribute('aria-expanded', 'true')
  })

  it('counts what failed since the list was open, and a notice says it once', async () => {
    all.items = [transfer('a')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/1 transfer · 0%/)
    tell(transfer('a', { state: 'failed', filesFailed: 1 }))
    tell(transfer('a', { state: 'failed', filesFailed: 1 }))
    await expect.element(page.getByRole('button')).toMatchTextContent(/1 failed/)
    expect(notices().map((notice) => notice.text())).toEqual(['Not transferred: a'])
    transfers.show()
    await expect.element(page.getByRole('button')).not.toMatchTextContent(/failed/)
  })

  it('reads out what is done, and shows that something is asked', async () => {
    all.items = [transfer('a'), transfer('b')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/2 transfers/)
    tell(transfer('b', { state: 'asking' }), transfer('a', { state: 'done' }))
    expect(announced()).toBe('Transfer finished: a')
    await expect.element(page.getByRole('button')).toMatchTextContent(/1 needs your decision/)
    expect(notices()[0]?.text()).toBe('Needs your decision: b')
  })
})
