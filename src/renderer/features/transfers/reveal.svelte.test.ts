import { expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { panel } from '../../core/panel.svelte.ts'
import { asked, at, button, ok, tell, transfer } from './transfers.fixture.ts'
import Transfers from './Transfers.svelte'

const info = (dialogs: boolean) => ({
  ok: true as const,
  value: { version: '1', way: dialogs ? 'electron' : 'browser', dialogs, keychain: { kind: 'ok' } } as never,
})
const ended = { endedAt: '2026-01-01T00:00:00Z', folder: '/home/ann/Downloads' }

it('a finished download is shown in its folder, where the system can', async () => {
  at.way.answer('app.info', () => info(true))
  at.way.answer('computer.reveal', () => ok)
  void panel.start()
  await render(Transfers)
  tell(
    transfer('a.zip', { ...ended, kind: 'download', state: 'done' }),
    transfer('b.zip', { ...ended, kind: 'upload', state: 'done' }),
    transfer('c.zip', { ...ended, kind: 'download', state: 'failed' }),
  )
  await expect.element(button('Show b.zip in its folder')).not.toBeInTheDocument()
  await expect.element(button('Show c.zip in its folder')).not.toBeInTheDocument()
  await button('Show a.zip in its folder').click()
  await expect.poll(() => asked('computer.reveal')).toEqual([{ transferId: 'a.zip' }])
})

it('a browser has no such button', async () => {
  at.way.answer('app.info', () => info(false))
  void panel.start()
  await expect.poll(() => panel.info?.dialogs).toBe(false)
  await render(Transfers)
  tell(transfer('a.zip', { ...ended, kind: 'download', state: 'done' }))
  await expect.element(button('Files of a.zip')).toBeVisible()
  await expect.element(button('Show a.zip in its folder')).not.toBeInTheDocument()
})
