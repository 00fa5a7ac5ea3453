import { page } from 'vitest/browser'
import { expect, it } from 'vitest'
import type { CopyState, ServerCopy } from '../../../../contract/bridge/copy-calls.ts'
import { AT, BackupsMain, button, dialog, open } from '../backups.fixture.ts'

const copy = (more: Partial<ServerCopy> = {}): ServerCopy => ({
  ...{ id: '2026-06-01 03.00.00', at: '2026-06-01T01:00:00.000Z', bytes: 5000, files: 9 },
  ...{ fetchedBytes: 100, fetchedFiles: 1, missing: [], missingCount: 0, saving: 'paused' },
  ...{ shares: true, isWhole: true },
  ...more,
})
const stateOf = (more: Partial<CopyState> = {}): CopyState => ({
  ...{ on: true, hour: 3, keep: 7, running: null, last: null, isLate: false, copies: [], hasFolders: true },
  hostBackups: null,
  folder: { path: '/home/ann/copies', isChosen: false, isThere: true },
  ...more,
})

/** The backups of a server that is copied to this computer. */
async function opened(state: CopyState) {
  const main = new BackupsMain()
  main.answer('copies.read', () => ({ ok: true, value: state }))
  main.answer('copies.cancel', () => ({ ok: true, value: undefined }))
  main.answer('copies.change', () => ({ ok: true, value: state }))
  main.answer('copies.reveal', () => ({ ok: true, value: undefined }))
  await open(main, AT)
  return main
}

it('a line says how it stands, and changes as it goes', async () => {
  const main = await opened(stateOf())
  await expect.element(page.getByText('Copied to this computer every night at 3:00 AM.')).toBeVisible()
  const tell = (now: CopyState) => main.send('copies', { connectionId: 'c', serverId: 's', now })
  tell(stateOf({ running: { kind: 'fetching', bytes: 200, bytesDone: 50 } }))
  await expect.element(page.getByText('Copying to this computer: 25%')).toBeVisible()
  tell(stateOf({ isLate: true }))
  await expect.element(page.getByText('A copy is due.', { exact: false })).toBeVisible()
  tell(stateOf({ last: { at: copy().at, problem: { code: 'offline', message: 'No.', retryable: true } } }))
  await expect.element(page.getByText('The last copy to this computer failed.')).toBeVisible()
  // Of another server.
  main.send('copies', { connectionId: 'c', serverId: 'other', now: stateOf() })
  await expect.element(page.getByText('The last copy to this computer failed.')).toBeVisible()
})

it('what a copy lacks is named, and why', async () => {
  const missing = [
    { path: 'world/a|b', reason: 'name' },
    { path: 'plugins/log.db', reason: 'changed' },
  ] as const
  const lacking = copy({
    missing: [...missing],
    missingCount: 5,
    saving: 'running',
    isWhole: false,
    shares: false,
  })
  await opened(stateOf({ copies: [lacking] }))
  await button('Show copies').click()
  await expect.element(dialog().getByText('The server was running', { exact: false })).toBeVisible()
  await expect.element(dialog().getByText('each takes its full size', { exact: false })).toBeVisible()
  await dialog().getByText('5 files are missing').click()
  await expect.element(dialog().getByText('world/a|b')).toBeVisible()
  await expect.element(dialog().getByText('kept changing')).toBeVisible()
  await expect.element(dialog().getByText('and 3 more')).toBeVisible()
})

it('one that is being made shows how far it is, and can be canceled', async () => {
  const main = await opened(
    stateOf({ running: { kind: 'fetching', bytes: 4000, bytesDone: 1000 }, copies: [copy()] }),
  )
  await button('Show copies').click()
  await expect.element(dialog().getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().getByRole('button', { name: 'Open folder' }).click()
  await dialog().getByRole('checkbox').click()
  const at = { connectionId: 'c', serverId: 's' }
  expect(main.sent('copies.cancel')).toEqual([at])
  expect(main.sent('copies.reveal')).toEqual([{ ...at, id: copy().id }])
  expect(main.sent('copies.change')).toEqual([{ ...at, on: false }])
})
