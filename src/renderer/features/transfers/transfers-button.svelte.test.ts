import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import { announced, notices } from '../../ui/feedback/notices.svelte.ts'
import { at, MIB, tell, transfer } from './transfers.fixture.ts'
import TransfersButton from './TransfersButton.svelte'
import Transfers from './Transfers.svelte'
import { transfers } from './transfers.svelte.ts'

describe('what is told of transfers', () => {
  it('goes when they are shown, and is not told while they are', async () => {
    at.all.items = [transfer('a'), transfer('b')]
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
    at.all.items = [transfer('a'), transfer('b'), transfer('c')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/3 transfers/)
    tell(transfer('a', { state: 'asking' }), transfer('b', both), transfer('c', both))
    expect(notices()).toHaveLength(3)
    tell(transfer('a'), transfer('b', both), transfer('c', both))
    expect(notices()).toHaveLength(2)
    tell(transfer('a'), transfer('b'))
    expect(notices()).toEqual([])
  })

  it('says once a copy or a download is done, and does not call done what was skipped', async () => {
    at.all.items = [transfer('a', { kind: 'copy' }), transfer('b', { kind: 'download' })]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/2 transfers /)
    tell(transfer('a', { kind: 'copy', state: 'done' }), transfer('b', { kind: 'download' }))
    expect(notices().map((notice) => notice.text())).toEqual(['Copied a'])
    notices()[0]?.action?.run()
    expect(transfers.open).toBe(true)
    transfers.hide()
    tell(
      transfer('a', { kind: 'copy', state: 'done' }),
      transfer('b', { kind: 'download', state: 'done', filesSkipped: 2 }),
    )
    expect(notices()[0]?.text()).toBe('Transfer finished: b')
    expect(notices()[0]?.more?.()).toBe('2 skipped')
  })

  it('does not call an upload done that was skipped', async () => {
    at.all.items = [transfer('a')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/1 transfer /)
    tell(transfer('a', { state: 'done', filesSkipped: 1 }))
    expect(announced()).toBe('Transfer finished: a · 1 skipped')
  })
})

describe('the line at the bottom', () => {
  it('says how much is in progress, and opens the list', async () => {
    at.all.items = [transfer('a', { bytesDone: 9 * MIB }), transfer('b')]
    await render(TransfersButton)
    const way = page.getByRole('button', { name: /Transfers/ })
    await expect.element(way).toMatchTextContent(/2 transfers · 45%/)
    await userEvent.click(way)
    expect(transfers.open).toBe(true)
    await expect.element(way).toHaveAttribute('aria-expanded', 'true')
  })

  it('counts what failed since the list was open, and a notice says it once', async () => {
    at.all.items = [transfer('a')]
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
    at.all.items = [transfer('a'), transfer('b')]
    await render(TransfersButton)
    await expect.element(page.getByRole('button')).toMatchTextContent(/2 transfers/)
    tell(transfer('b', { state: 'asking' }), transfer('a', { state: 'done' }))
    expect(announced()).toBe('Transfer finished: a')
    await expect.element(page.getByRole('button')).toMatchTextContent(/1 needs your decision/)
    expect(notices()[0]?.text()).toBe('Needs your decision: b')
  })
})
