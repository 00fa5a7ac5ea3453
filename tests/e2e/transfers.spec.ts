import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  allEnded,
  doSelected,
  fileList,
  fileRow,
  leftInStaging,
  openFiles,
  openTransfers,
  pasteHere,
  select,
  signedIn,
  transferRow,
  transferred,
  transfers,
  uploadFiles,
  uploadFolder,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { hashOf, someBytes, timesOf, treeOf, write } from './fixtures/trees.ts'
import { connectionLine, serverLink, signIn } from './fixtures/views.ts'

// Uploads, downloads and copies, and what can happen to them on the way.

const MEBIBYTE = 1024 * 1024

/** Chooses a speed limit, in bytes per second. */
async function limit(page: Page, bytes: number | null): Promise<void> {
  await openTransfers(page)
  await page.getByLabel('Speed limit').selectOption(bytes === null ? 'none' : String(bytes))
}

/** Waits until a part of a transfer has arrived, and answers how much, in per cent. */
async function partly(page: Page, name: string): Promise<number> {
  const bar = transferRow(page, name).getByRole('progressbar')
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]/)
  return Number(await bar.getAttribute('aria-valuenow'))
}

const action = (page: Page, name: string) => transfers(page).getByRole('button', { name, exact: true })

test('an upload is paused, goes on, and another is canceled without a trace', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders, ids } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const staged = () => leftInStaging(service, ids[0] ?? '')
  await write(place.at('mine'), {
    'big.bin': someBytes(8 * MEBIBYTE, 1),
    'other.bin': someBytes(3 * MEBIBYTE, 2),
  })
  await openFiles(page, 'Far away')
  await limit(page, 256 * 1024)
  await uploadFiles(page, place.at('mine', 'big.bin'))
  await partly(page, 'big.bin')
  await action(page, 'Pause big.bin').click()
  await expect(transferRow(page, 'big.bin')).toContainText('Paused')
  // What is not whole is nowhere to be seen.
  expect(await readdir(folder)).toEqual([])
  await expect(fileRow(page, 'big.bin')).toHaveCount(0)

  // Meanwhile another one is begun, and not wanted after all.
  await uploadFiles(page, place.at('mine', 'other.bin'))
  await partly(page, 'other.bin')
  await action(page, 'Cancel other.bin').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel transfer' }).click()
  await expect(transferRow(page, 'other.bin')).toContainText('Canceled')

  await limit(page, null)
  await action(page, 'Resume big.bin').click()
  await transferred(page, 'big.bin')
  expect(await treeOf(folder)).toEqual({ 'big.bin': await hashOf(place.at('mine', 'big.bin')) })
  await expect(fileRow(page, 'big.bin')).toBeVisible()
  await expect.poll(staged, 'what was begun is gone').toEqual([])
})

test('a name that is taken is asked about, once or for all', async ({ openPanel, startService, place }) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const there = { 'world/level.txt': 'theirs', 'world/a.txt': 'their a', 'world/b.txt': 'their b' }
  await write(folder, there)
  await write(place.at('mine'), {
    ...{ 'world/level.txt': 'mine', 'world/a.txt': 'my a', 'world/b.txt': 'my b', 'world/new.txt': 'new' },
    'world/deeper/new.txt': 'deeper',
  })
  await openFiles(page, 'Far away')
  await uploadFolder(page, place.at('mine', 'world'))
  await openTransfers(page)
  const question = transfers(page).getByRole('group', { name: /already exists/ })
  // The first by itself, the others together.
  await expect(question).toBeVisible()
  const first = /“world\/(.*)”/.exec((await question.getAttribute('aria-label')) ?? '')?.[1] ?? ''
  await question.getByRole('button', { name: 'Skip' }).click()
  await expect(question).not.toHaveAttribute('aria-label', new RegExp(`world/${first}`))
  await question.getByRole('checkbox', { name: 'Do this for all in this transfer' }).check()
  await question.getByRole('button', { name: 'Keep both' }).click()
  await transferred(page, 'world')
  await expect(transferRow(page, 'world')).toContainText('1 skipped')
  const mine = await treeOf(place.at('mine'))
  const now = await treeOf(folder)
  for (const name of Object.keys(there)) {
    const both = name.replace('.txt', ' (2).txt')
    if (name === `world/${first}`) expect(now[both]).toBeUndefined()
    else expect(now[both]).toBe(mine[name])
    expect(now[name]).not.toBe(mine[name])
  }
  expect(now['world/new.txt']).toBe(mine['world/new.txt'])
  expect(now['world/deeper/new.txt']).toBe(mine['world/deeper/new.txt'])

  // Replaced, all of it is as it is here.
  await uploadFolder(page, place.at('mine', 'world'))
  await question.getByRole('checkbox', { name: 'Do this for all in this transfer' }).check()
  await question.getByRole('button', { name: 'Replace' }).click()
  await allEnded(page, 2)
  expect(await treeOf(folder)).toMatchObject(mine)
})

test('limits are told before the first byte, what failed is tried again alone, and history outlives the panel', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService({ more: ['--max-file-bytes', '100000', '--quota-bytes', '1000000'] })
  const first = await openPanel()
  const { folders } = await signedIn(first.page, service, 'Far away')
  const [folder = ''] = folders
  await write(place.at('mine'), {
    'tree/small.txt': 'small',
    'tree/large.bin': someBytes(200_000, 1),
    'tree/deeper/other.txt': 'other',
    'huge/one.bin': someBytes(90_000, 2),
  })
  for (let index = 0; index < 11; index++)
    await write(place.at('mine', 'huge'), { [`${index}.bin`]: someBytes(95_000, index + 3) })
  await openFiles(first.page, 'Far away')
  await uploadFolder(first.page, place.at('mine', 'huge'))
  await openTransfers(first.page)
  await expect(transferRow(first.page, 'huge')).toContainText(/This needs .* of its quota left/)
  expect(await readdir(folder)).toEqual([])

  await uploadFolder(first.page, place.at('mine', 'tree'))
  await expect(transferRow(first.page, 'tree')).toContainText('1 failed')
  await transferRow(first.page, 'tree').getByRole('button', { name: 'Files of tree' }).click()
  await expect(transferRow(first.page, 'tree').getByRole('list')).toContainText(/tree\/large\.bin.*failed/)
  await expect(transferRow(first.page, 'tree').getByRole('list')).not.toContainText('small.txt')
  // The one that failed may have done so first.
  const small = path.join(folder, 'tree', 'small.txt')
  await expect.poll(() => existsSync(small)).toBe(true)
  const before = await stat(small)

  // The service takes larger files now.
  await service.program.end()
  service.more = []
  await service.start()
  await transferRow(first.page, 'tree').getByRole('button', { name: 'Retry 1 file' }).click()
  await transferred(first.page, 'tree')
  expect(await treeOf(path.join(folder, 'tree'))).toEqual(await treeOf(place.at('mine', 'tree')))
  const after = await stat(small)
  expect({ ino: after.ino, changed: after.ctimeMs }).toEqual({ ino: before.ino, changed: before.ctimeMs })
  await first.close()

  const { page } = await openPanel({ data: first.data })
  await serverLink(page, 'Far away').click()
  await openTransfers(page)
  await expect(transferRow(page, 'tree')).toContainText('Done ·')
  await expect(transferRow(page, 'huge')).toContainText('Failed')
  await page.getByRole('button', { name: 'Clear history' }).click()
  await expect(page.getByText('No transfers')).toBeVisible()
})

test('an upload goes on by itself after the panel was killed and opened again', async ({
  openPanel,
  startService,
  place,
  guard,
}) => {
  guard.allow(/WebSocket connection to .* failed/)
  guard.allow(/ERR_CONNECTION_REFUSED/)
  const service = await startService()
  const first = await openPanel()
  const { folders } = await signedIn(first.page, service, 'Far away')
  const [folder = ''] = folders
  await write(place.at('mine'), { 'big.bin': someBytes(8 * MEBIBYTE, 1) })
  await openFiles(first.page, 'Far away')
  await limit(first.page, 256 * 1024)
  await uploadFiles(first.page, place.at('mine', 'big.bin'))
  const before = await partly(first.page, 'big.bin')
  await first.kill()
  await expect(connectionLine(first.page)).toContainText('this window lost its connection to the panel')
  await first.page.close()
  expect(await readdir(folder)).toEqual([])

  const { page } = await openPanel({ data: first.data })
  await openTransfers(page)
  expect(await partly(page, 'big.bin')).toBeGreaterThanOrEqual(before)
  await limit(page, null)
  await transferred(page, 'big.bin')
  expect(await treeOf(folder)).toEqual({ 'big.bin': await hashOf(place.at('mine', 'big.bin')) })
})

test('a folder is copied from a server of one service to a server of another', async ({
  openPanel,
  startService,
}) => {
  const one = await startService({ name: 'one' })
  const other = await startService({ name: 'other' })
  const { page } = await openPanel()
  const from = await signedIn(page, one, 'Left')
  await page.getByRole('link', { name: 'All servers' }).click()
  const account = await other.account('Ben')
  const to = other.folder(await other.server(account.token, 'Right'))
  await signIn(page, other.baseUrl, account)
  await write(from.folders[0] ?? '', {
    'world/level.dat': someBytes(3 * MEBIBYTE, 1),
    'world/世界/🌍.txt': 'map',
    'world/empty/': '',
    'world/none.txt': '',
    'loose.txt': 'loose',
  })
  await openFiles(page, 'Left')
  await select(page, 'world', 'loose.txt')
  await doSelected(page, 'Copy')
  await openFiles(page, 'Right')
  await expect(fileList(page)).toBeVisible()
  await pasteHere(page)
  await allEnded(page, 1)
  await expect(fileRow(page, 'loose.txt')).toBeVisible()
  await expect(transfers(page).getByRole('list', { name: 'History' })).toContainText('from Left to Right')
  expect(await treeOf(to)).toEqual(await treeOf(from.folders[0] ?? ''))
  expect(await timesOf(to)).toEqual(await timesOf(from.folders[0] ?? ''))
})
