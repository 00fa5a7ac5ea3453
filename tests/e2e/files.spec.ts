import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  allEnded,
  closeTransfers,
  count,
  dialog,
  doSelected,
  dropOnto,
  fileList,
  fileRow,
  leftInStaging,
  openEntry,
  openFiles,
  openTrash,
  pasteHere,
  select,
  signedIn,
  transferRow,
  transferred,
  uploadFolder,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { timesOf, treeOf, write, writeMany } from './fixtures/trees.ts'

// Real folders: what is on the service's disk and in the folder of downloads is compared by hash.

/** Names that programs stumble over; all of them are allowed on every system that servers run on. */
const ODD = {
  '世界/区域 一.txt': 'Chinese',
  'العالم/ملف.txt': 'Arabic',
  '🌍🏰/👩‍👩‍👧 map.txt': 'emoji',
  'a b/ c  d.txt': 'spaces',
  '#1 100% "sure" & it\'s?.txt': 'signs',
  'é composed.txt': 'composed',
  'e\u0301 decomposed.txt': 'decomposed',
  '.hidden': 'hidden',
  'deep/a/b/c/d/e/f/g/file.txt': 'deep',
  'empty.txt': '',
  'empty folder/': '',
  'a b/nothing in it/': '',
}

/** Small files of a tree: more than go together in one request. `TREE_FILES=N`; what 2,000 of them lose `--long big` counts. */
const SMALL_FILES = Number(process.env.TREE_FILES ?? 600)

test('a tree of many small files arrives whole, with its times, and comes back whole', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders, ids } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const mine = place.at('mine', 'many')
  await writeMany(mine, SMALL_FILES, 10_500)
  await openFiles(page, 'Far away')
  await uploadFolder(page, mine)
  await transferred(page, 'many')
  await expect(transferRow(page, 'many')).toContainText(`${SMALL_FILES.toLocaleString('en')} files`)
  await expect(transferRow(page, 'many')).not.toContainText('failed')
  expect(await treeOf(path.join(folder, 'many'))).toEqual(await treeOf(mine))
  expect(await timesOf(path.join(folder, 'many'))).toEqual(await timesOf(mine))
  expect(await leftInStaging(service, ids[0] ?? '')).toEqual([])
  // The list has it without being asked again.
  await expect(fileRow(page, 'many')).toBeVisible()

  await select(page, 'many')
  await doSelected(page, 'Download')
  await allEnded(page, 2)
  const back = place.at('Downloads', 'many')
  expect(await treeOf(back)).toEqual(await treeOf(mine))
  expect(await timesOf(back)).toEqual(await timesOf(mine))
})

/** Renames in place, with a name that is taken first. */
async function renameInPlace(page: Page): Promise<void> {
  await select(page, '🌍🏰')
  await page.keyboard.press('F2')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('🌍🏰')
  await page.getByLabel('Name', { exact: true }).fill('世界')
  await page.keyboard.press('Enter')
  await expect(fileList(page).getByRole('alert')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('العالم 🌍 "new" #2 50%')
  await page.keyboard.press('Enter')
  await expect(fileRow(page, 'العالم 🌍 "new" #2 50%')).toBeVisible()
  await expect(fileRow(page, '🌍🏰')).toHaveCount(0)
}

/** Moves by dragging, by cutting and pasting; copies with what is in the folder. */
async function moveAndCopy(page: Page): Promise<void> {
  await fileRow(page, '#1 100% "sure" & it\'s?.txt').dragTo(fileRow(page, 'empty folder'))
  await expect(fileRow(page, '#1 100% "sure" & it\'s?.txt')).toHaveCount(0)
  await select(page, 'é composed.txt', 'e\u0301 decomposed.txt')
  await expect(count(page)).toContainText('2 selected')
  await doSelected(page, 'Cut')
  await openEntry(page, 'empty folder')
  await expect(fileRow(page, '#1 100% "sure" & it\'s?.txt')).toBeVisible()
  await pasteHere(page)
  await expect(fileRow(page, 'e\u0301 decomposed.txt')).toBeVisible()
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await select(page, 'a b')
  await doSelected(page, 'Copy')
  await pasteHere(page)
  await expect(fileRow(page, 'a b (2)')).toBeVisible()
}

/** What the tree is after `renameInPlace` and `moveAndCopy`. */
function afterMoving<Hash>(uploaded: Record<string, Hash>): Record<string, Hash> {
  return Object.fromEntries(
    Object.entries(uploaded).flatMap(([name, hash]) => {
      const renamed = name.replace(/^🌍🏰/u, 'العالم 🌍 "new" #2 50%')
      const inside = /^(#1|é c|e\u0301 d)/u.test(name) ? `empty folder/${name}` : renamed
      return name === 'a b' || name.startsWith('a b/')
        ? [
            [name, hash],
            [name.replace('a b', 'a b (2)'), hash],
          ]
        : [[inside, hash]]
    }),
  )
}

/** Deletes three; brings two back from the trash, and deletes the third for good. */
async function deleteAndRestore(page: Page): Promise<void> {
  await select(page, '世界', 'empty.txt', 'empty folder')
  await doSelected(page, 'Delete')
  await expect(fileRow(page, '世界')).toHaveCount(0)
  await openTrash(page)
  const trash = page.getByRole('list', { name: 'Trash' })
  await expect(trash.getByRole('listitem')).toHaveCount(3)
  await trash.getByRole('listitem').filter({ hasText: '世界' }).getByRole('checkbox').check()
  await trash.getByRole('listitem').filter({ hasText: 'empty folder' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(trash.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await dialog(page).getByRole('button', { name: 'Empty trash' }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await page.getByRole('button', { name: 'Back to files' }).click()
  await expect(fileRow(page, '世界')).toBeVisible()
}

test('names in every script, empty files and empty folders are dropped, renamed, moved, copied and come back', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const mine = place.at('mine')
  await write(mine, ODD)
  await openFiles(page, 'Far away')
  const names = await readdir(mine)
  await dropOnto(
    page,
    fileList(page),
    names.map((name) => path.join(mine, name)),
  )
  await allEnded(page, 1)
  await expect(fileRow(page, '世界')).toBeVisible()
  await closeTransfers(page)
  const uploaded = await treeOf(folder)
  expect(uploaded).toEqual(await treeOf(mine))

  await renameInPlace(page)
  await moveAndCopy(page)
  const wanted = afterMoving(uploaded)
  expect(await treeOf(folder)).toEqual(wanted)

  // All of it comes back to this computer.
  await fileList(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await doSelected(page, 'Download')
  await allEnded(page, 2)
  await closeTransfers(page)
  expect(await treeOf(place.at('Downloads'))).toEqual(wanted)

  // Deleted and undone; deleted and brought back from the trash; deleted for good.
  await fileList(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  expect(await readdir(folder)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(fileRow(page, '世界')).toBeVisible()
  expect(await treeOf(folder)).toEqual(wanted)

  await deleteAndRestore(page)
  const { 'empty.txt': gone, ...rest } = wanted
  expect(gone).toBeDefined()
  expect(await treeOf(folder)).toEqual(rest)
})

test('a folder is kept at hand, is gone to from elsewhere, and still is after the panel was started again', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const first = await openPanel()
  const { folders } = await signedIn(first.page, service, 'Far away')
  const [folder = ''] = folders
  await write(folder, { 'plugins/世界/config.yml': 'a: 1\n', 'logs/latest.log': 'a line\n' })
  const goByMenu = async (page: Page) => {
    await page.getByRole('button', { name: 'Favorites', exact: true }).click()
    await page.getByRole('menuitem', { name: '/plugins/世界' }).click()
    await expect(fileRow(page, 'config.yml')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove from favorites' })).toBeVisible()
  }
  const { page } = first
  await openFiles(page, 'Far away')
  await openEntry(page, 'plugins')
  await openEntry(page, '世界')
  await expect(fileRow(page, 'config.yml')).toBeVisible()
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await openEntry(page, 'logs')
  await expect(fileRow(page, 'latest.log')).toBeVisible()
  await goByMenu(page)
  await first.close()

  const second = await openPanel({ data: first.data })
  await openFiles(second.page, 'Far away')
  await goByMenu(second.page)
  await second.page.getByRole('button', { name: 'Remove from favorites' }).click()
  await expect(second.page.getByRole('button', { name: 'Favorites', exact: true })).toHaveCount(0)
})
