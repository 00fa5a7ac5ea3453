import { readdir, truncate } from 'node:fs/promises'
import path from 'node:path'
import {
  code,
  dialog,
  doSelected,
  fileRow,
  openFiles,
  searchField,
  select,
  signedIn,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { someBytes, treeOf, write } from './fixtures/trees.ts'

test.use({ sharesPanel: true })

test('folders are packed into archives and come out of them as they were', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  await write(folder, {
    'world/level.dat': someBytes(500_000, 1),
    'world/世界 🌍/العالم.txt': 'map',
    'world/empty/': '',
    'notes.txt': 'notes',
  })
  const before = await treeOf(folder)
  await write(folder, { 'huge.bin': '' })
  await openFiles(page, 'Far away')
  for (const { format, name } of [
    { format: 'zip', name: 'kept.zip' },
    { format: 'tar.gz', name: 'kept too.tar.gz' },
  ]) {
    await select(page, 'world', 'notes.txt')
    await doSelected(page, 'Compress')
    await dialog(page).getByLabel('Format').selectOption(format)
    await dialog(page).getByLabel('Archive name').fill(name)
    await dialog(page).getByRole('button', { name: 'Compress' }).click()
    await expect(page.getByText(`${name} was created`)).toBeVisible()
    await select(page, name)
    await doSelected(page, 'Extract')
    await dialog(page).getByLabel('Destination folder').fill(`/out ${format}`)
    await dialog(page).getByRole('button', { name: 'Extract' }).click()
    await expect(page.getByText(`${name} was extracted`)).toBeVisible()
    await expect(fileRow(page, `out ${format}`)).toBeVisible()
    expect(await treeOf(path.join(folder, `out ${format}`))).toEqual(before)
  }

  // A job that is not wanted leaves nothing behind. A file full of holes takes a while to read and no room.
  await truncate(path.join(folder, 'huge.bin'), 20_000_000_000)
  await select(page, 'huge.bin')
  await doSelected(page, 'Compress')
  await dialog(page).getByRole('button', { name: 'Compress' }).click()
  const job = page.getByRole('list', { name: 'Archives in progress' }).getByRole('listitem')
  await expect(job).toContainText('Creating huge.bin.zip')
  await expect(job.getByRole('progressbar')).toBeVisible()
  await job.getByRole('button', { name: 'Cancel' }).click()
  await expect(job).toHaveCount(0)
  await expect(fileRow(page, 'huge.bin.zip')).toHaveCount(0)
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['huge.bin', 'kept.zip', 'kept too.tar.gz', 'notes.txt', 'world']),
  )
  expect(await readdir(folder)).not.toContain('huge.bin.zip')
})

test('files are found by name and by text, and open where the text is', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const lines = Array.from({ length: 300 }, (_, line) => `key${line}: value\n`)
  lines[249] = 'difficulty: sehr schwer\n'
  await write(folders[0] ?? '', {
    'plugins/a/config.yml': lines.join(''),
    'plugins/b/世界-config.txt': 'nothing',
    'server.properties': 'difficulty=easy\n',
    'world/region/r.0.0.mca': someBytes(10_000, 1),
  })
  await openFiles(page, 'Far away')
  const hits = page.getByRole('list', { name: 'Search results' }).getByRole('listitem')
  await searchField(page).fill('CONFIG')
  await page.getByRole('button', { name: 'Search all folders for “CONFIG”' }).click()
  await expect(hits).toHaveCount(2)
  await expect(hits.filter({ hasText: '世界-config.txt' })).toBeVisible()
  await searchField(page).fill('difficulty')
  await page.getByRole('button', { name: 'Text in files' }).click()
  await expect(hits).toHaveCount(2)
  await hits.filter({ hasText: 'config.yml:250' }).getByRole('button').click()
  await expect(code(page, 'config.yml')).toContainText('difficulty: sehr schwer')
  await expect(page.getByText('Line 250, column 1')).toBeVisible()
})
