import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { panel } from '../../core/panel.svelte.ts'
import { choose, main, open, row } from './files-tab.fixture.ts'

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Where the panel runs as the test says. */
async function run(dialogs: boolean): Promise<void> {
  const way = dialogs ? 'electron' : 'browser'
  main.answer('app.info', () => ({
    ok: true,
    value: { version: '1', way, platform: 'linux', dialogs, keychain: { kind: 'ok' } } as never,
  }))
  const problem = { code: 'offline', message: '', retryable: true } as const
  main.answer('connections.list', () => ({ ok: false, problem }))
  main.answer('settings.read', () => ({ ok: false, problem }))
  main.answer('external-editor.list', () => ({ ok: true, value: [] }))
  void panel.start()
  await expect.poll(() => panel.info?.dialogs).toBe(dialogs)
}
beforeEach(() => {
  main.answer('computer.download-to', () => ({ ok: true, value: { transferId: 't' } }))
  main.answer('computer.pick-and-send', () => ({ ok: true, value: { transferId: null } }))
})

it('where the system has dialogs, main asks where a download goes and what is uploaded', async () => {
  await run(true)
  await open()
  await row('b2.txt').click()
  await choose('More', 'Download to…')
  await expect
    .poll(() => main.inputs('computer.download-to'))
    .toEqual([{ connectionId: 'c', serverId: 's', paths: ['b2.txt'] }])
  await button('Upload').click()
  await choose('What to upload', 'Upload a folder')
  await expect
    .poll(() => main.inputs('computer.pick-and-send'))
    .toEqual([
      { connectionId: 'c', serverId: 's', folder: '', what: 'files' },
      { connectionId: 'c', serverId: 's', folder: '', what: 'folders' },
    ])
  expect(document.querySelector('input[type=file]')).toBeNull()
})

it('in a browser there is none of this: the browser asks what is uploaded', async () => {
  await run(false)
  await open()
  await row('b2.txt').click()
  await expect.element(button('Download')).toBeVisible()
  await button('More').click()
  await expect.element(page.getByRole('menuitem', { name: 'Properties' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: 'Download to…' }).query()).toBeNull()
  expect(document.querySelectorAll('input[type=file]')).toHaveLength(2)
})
