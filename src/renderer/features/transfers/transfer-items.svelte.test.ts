import { describe, expect, it, onTestFinished } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import type { TransferItem } from '../../../contract/bridge/transfer-values.ts'
import { panel } from '../../core/panel.svelte.ts'
import { asked, at, button, MIB, row, tell, transfer } from './transfers.fixture.ts'
import Transfers from './Transfers.svelte'

describe('the files of a transfer', () => {
  it('show no rate and no time left that nobody knows any more', async () => {
    at.all.items = [transfer('a', { rate: MIB, secondsLeft: 5, bytesDone: MIB, files: 2 })]
    at.items = [
      {
        ...{ id: '1', path: 'a', kind: 'file', size: 9, bytesDone: 1, rate: MIB, secondsLeft: 5 },
        ...{ state: 'running', finalPath: null, problem: null },
      },
    ]
    void panel.start()
    await render(Transfers)
    await userEvent.click(button('Files of a'))
    const files = page.getByRole('list', { name: 'Files of a' })
    await expect.element(files).toMatchTextContent(/1 MB\/s · 5 sec left/)
    await expect.element(row('a')).toMatchTextContent(/1 MB\/s · 5 sec left/)
    at.way.reach(false)
    onTestFinished(() => at.way.reach(true))
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
    at.items = many(1234)
    const large = transfer('large', { files: 1234, filesFailed: 2 })
    at.all.items = [large]
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
    at.items = many(700)
    tell({ ...large, files: 700 })
    await expect.element(range).toHaveTextContent('501 to 700 of 700')
    const limits = asked('transfers.items').map((input) => (input as { limit: number }).limit)
    expect(new Set(limits)).toEqual(new Set([500]))
  })

  it('tell of each file how fast it moves and how long it still takes', async () => {
    const item = { kind: 'file' as const, size: 4 * MIB, finalPath: null, problem: null }
    const stands = { bytesDone: 0, rate: null, secondsLeft: null, state: 'waiting' as const }
    const moves = { bytesDone: MIB, rate: 1.5 * MIB, secondsLeft: 2, state: 'running' as const }
    at.items = [
      { ...item, ...moves, id: '1', path: 'r.0.0.mca' },
      { ...item, ...stands, id: '2', path: 'level.dat' },
    ]
    at.all.items = [transfer('tree', { files: 2 })]
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
    at.all.items = [transfer('one.bin', now)]
    at.items = [
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
    at.items = [
      { ...item, id: '1', state: 'failed', problem },
      { ...item, id: '2', path: 'level.dat', state: 'done', bytesDone: 5, problem: null },
    ]
    at.all.items = [transfer('world', { state: 'failed', files: 2, filesDone: 1, filesFailed: 1 })]
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
})
