import { truncate } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  choose,
  dialog,
  doSelected,
  fileList,
  fileRow,
  holdOver,
  openEntry,
  openFiles,
  openTrash,
  pasteHere,
  searchField,
  select,
  signedIn,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { plainFront } from '../doubles/services/plain-front.ts'
import { someBytes, write } from './fixtures/trees.ts'
import { serverLink, signIn, tab } from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

/** Folders with something and nothing in them, and what is dragged over them. */
async function lookAtList(page: Page, looks: Looks, folder: string): Promise<void> {
  await openTrash(page)
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await looks.at(page, 'files, empty trash')
  await page.getByRole('button', { name: 'Back to files' }).click()
  await openEntry(page, 'plugins')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await looks.at(page, 'files, empty folder')
  await choose(page, 'New', 'New file')
  await looks.atDialog(page, 'files, new file')
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await expect(fileRow(page, 'world')).toBeVisible()
  await looks.at(page, 'files, list')
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  for (const dropOver of ['folder', 'list'] as const) {
    const target = dropOver === 'folder' ? fileRow(page, 'plugins') : fileList(page)
    const end = await holdOver(page, target, [path.join(folder, 'latest.log')])
    await looks.at(page, `files, dragged over the ${dropOver}`)
    await end('away')
  }
}

/** What can be done with what is selected. */
async function lookAtSelected(page: Page, looks: Looks): Promise<void> {
  await select(page, 'world', 'server.properties')
  await looks.at(page, 'files, selected')
  await fileList(page).focus()
  await page.keyboard.press('Alt+Enter')
  await looks.atDialog(page, 'files, properties of two')
  await select(page, 'server.properties')
  await doSelected(page, 'Move to…')
  await looks.atDialog(page, 'files, move to')
  await doSelected(page, 'Properties')
  await looks.atDialog(page, 'files, properties')
  await fileRow(page, 'server.properties').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Open' })).toBeVisible()
  await looks.at(page, 'files, menu of a row')
  await page.keyboard.press('Escape')
  await doSelected(page, 'Compress')
  await looks.atDialog(page, 'files, pack')
  await select(page, 'backup.zip')
  await doSelected(page, 'Extract')
  await looks.atDialog(page, 'files, unpack')
  await doSelected(page, 'Rename')
  await looks.at(page, 'files, renaming')
  await page.getByLabel('Name', { exact: true }).fill('world')
  await page.keyboard.press('Enter')
  await expect(fileList(page).getByRole('alert')).toBeVisible()
  await looks.at(page, 'files, a name that is taken')
  await page.keyboard.press('Escape')
  await choose(page, 'New', 'New folder')
  await dialog(page).getByLabel('Name').fill('world')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(dialog(page).getByText('This name is already taken')).toBeVisible()
  await looks.atDialog(page, 'files, new folder')
  await select(page, 'server.properties', 'latest.log')
  await doSelected(page, 'Copy')
  await openEntry(page, 'plugins')
  await pasteHere(page)
  await expect(fileRow(page, 'latest.log')).toBeVisible()
  await pasteHere(page)
  await looks.atDialog(page, 'files, taken names')
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await expect(fileRow(page, 'server.properties')).toBeVisible()
  await searchField(page).fill('nothing like it')
  await expect(page.getByText('No name contains')).toBeVisible()
  await looks.at(page, 'files, nothing matches')
  await page.getByRole('button', { name: 'Show all' }).click()
  await choose(page, 'More for this folder', 'Type the path')
  await looks.at(page, 'files, typed path')
  await page.keyboard.press('Escape')
}

/** The search, with results and without. */
async function lookAtSearch(page: Page, looks: Looks): Promise<void> {
  await searchField(page).fill('a')
  await looks.at(page, 'files, search')
  await searchField(page).press('Enter')
  await expect(page.getByRole('list', { name: 'Search results' })).toBeVisible()
  await looks.at(page, 'files, found by name')
  await searchField(page).fill('difficulty')
  await page.getByRole('button', { name: 'Text in files' }).click()
  await expect(page.getByText('difficulty=easy').first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'Search results' })).toBeVisible()
  await looks.at(page, 'files, found')
  await searchField(page).fill('not in any file')
  await searchField(page).press('Enter')
  await expect(page.getByText('No results')).toBeVisible()
  await looks.at(page, 'files, nothing found')
  await page.getByRole('button', { name: 'Close search' }).click()
}

/** An archive that takes long. */
async function lookAtPacking(page: Page, looks: Looks, folder: string): Promise<void> {
  await truncate(path.join(folder, 'backup.zip'), 20_000_000_000)
  await select(page, 'backup.zip')
  await doSelected(page, 'Compress')
  await dialog(page).getByRole('button', { name: 'Compress' }).click()
  const job = page.getByRole('list', { name: 'Archives in progress' }).getByRole('listitem')
  await expect(job.getByRole('progressbar')).toBeVisible()
  await looks.at(page, 'files, packing')
  await job.getByRole('button', { name: 'Cancel' }).click()
  await expect(job).toHaveCount(0)
  await truncate(path.join(folder, 'backup.zip'), 10_000)
}

/** What was deleted. */
async function lookAtTrash(page: Page, looks: Looks): Promise<void> {
  await select(page, 'world', 'latest.log')
  await doSelected(page, 'Delete')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await looks.at(page, 'files, deleted')
  await openTrash(page)
  await expect(page.getByRole('list', { name: 'Trash' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('list', { name: 'Trash' }).getByRole('checkbox').first().check()
  await looks.at(page, 'files, trash')
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await looks.atDialog(page, 'files, delete permanently')
  await page.getByRole('button', { name: 'Back to files' }).click()
}

test('axe finds nothing in the list of files and what opens above it', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  await write(folder, {
    'world/level.dat': someBytes(2_500_000, 1),
    'world/世界/العالم.txt': 'map',
    'plugins/': '',
    'server.properties': 'difficulty=easy\nmotd=A server\n',
    'latest.log': 'a line\n'.repeat(100),
    'a name that is much longer than there is room for in a list of files, as exports of maps often have.json':
      '{}',
    'backup.zip': someBytes(10_000, 1),
  })
  await openFiles(page, 'Far away')
  await lookAtList(page, looks, folder)
  await lookAtSelected(page, looks)
  await lookAtSearch(page, looks)
  await lookAtPacking(page, looks, folder)
  await lookAtTrash(page, looks)
  await openEntry(page, 'plugins')
  await expect(fileRow(page, 'latest.log')).toBeVisible()
  // An address from another time, whose folder has gone since.
  await page.goto(page.url().replace(/plugins$/, 'was-here'))
  await expect(page.getByText('This folder no longer exists')).toBeVisible()
  await looks.at(page, 'files, folder that is gone')
  await service.program.end()
  await page.getByRole('button', { name: 'Go to the parent folder' }).click()
  await expect(page.getByText('Nothing can be changed right now')).toBeVisible()
  await looks.at(page, 'files, offline')
  looks.expectNothing()
})

test('axe finds nothing in a long list, one that is read, and what failed', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService({ flood: true })
  const account = await service.account('Ann')
  const serverId = await service.server(account.token, 'Far away', 'flood')
  await service.online(account.token, serverId)
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, account)
  const many = Array.from({ length: 300 }, (_, index) => [
    `region/r.${index}.-${index % 7}.mca`,
    'x'.repeat(index),
  ])
  const deep = 'plugins/LuckPerms/translations/repository/very-long-folder-name/and-another'
  await write(service.folder(serverId), {
    ...Object.fromEntries(many),
    [`${deep}/messages.yml`]: 'a: b\n',
    'unseen/': '',
  })
  await openFiles(page, 'Far away')
  await expect(page.getByText('The server is running')).toBeVisible()
  await select(page, 'region', 'plugins')
  await doSelected(page, 'Cut')
  await openEntry(page, 'region')
  await expect(fileRow(page, 'r.0.-0.mca')).toBeVisible()
  await pasteHere(page)
  await expect(dialog(page)).toContainText('1 item failed')
  await looks.atDialog(page, 'files, what failed')
  await fileList(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ControlOrMeta+a')
  await looks.at(page, 'files, long list, all selected')
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  await fileList(page).focus()
  await page.keyboard.press('Home')
  for (const name of ['plugins', ...deep.split('/').slice(1)]) await openEntry(page, name)
  await expect(fileRow(page, 'messages.yml')).toBeVisible()
  await page.getByRole('button', { name: 'Favorites', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: '/region' })).toBeVisible()
  await looks.at(page, 'files, deep folder and favorites')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await expect(fileRow(page, 'unseen')).toBeVisible()
  service.program.signal('SIGSTOP')
  try {
    await openEntry(page, 'unseen')
    await expect(page.locator('.skeleton').first()).toBeVisible()
    await looks.at(page, 'files, being read')
  } finally {
    service.program.signal('SIGCONT')
  }
  looks.expectNothing()
})

test('axe finds nothing where a service does not offer parts of the files, or none', async ({
  openPanel,
  startService,
  place,
}) => {
  const looks = new Looks()
  const service = await startService()
  const missing = /^\/servers\/files\/(trash|restore|purge|archive|extract|jobs|search|limits)\//
  let none = false
  const front = await plainFront(
    service.baseUrl,
    ({ path: asked }) => missing.test(asked) || (none && asked.startsWith('/servers/files/')),
  )
  place.atEnd(() => front.close())
  const account = await service.account('Ann')
  await service.server(account.token, 'Other')
  const folder = service.folder(await service.server(account.token, 'Plain'))
  await write(folder, { 'tree/a.txt': 'a', 'tree/region/r.0.0.mca': '' })
  const { page } = await openPanel()
  await signIn(page, front.baseUrl, account)
  await openFiles(page, 'Plain')
  await select(page, 'tree')
  await doSelected(page, 'Compress')
  await dialog(page).getByRole('button', { name: 'Compress' }).click()
  await expect(dialog(page)).toContainText('does not offer')
  await looks.atDialog(page, 'files, packing is not offered')
  await doSelected(page, 'Delete')
  await expect(dialog(page)).toContainText('This service has no trash, so this can’t be undone.')
  await looks.atDialog(page, 'files, deleting for good')
  await doSelected(page, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('“tree” was deleted')).toBeVisible()
  await looks.at(page, 'files, deleted for good')
  await searchField(page).fill('a')
  await searchField(page).press('Enter')
  await expect(page.getByRole('heading', { name: /does not offer file search/ })).toBeVisible()
  await looks.at(page, 'files, search is not offered')
  await page.getByRole('button', { name: 'Close search' }).click()
  await openTrash(page)
  await expect(page.getByRole('heading', { name: /does not offer a trash/ })).toBeVisible()
  await looks.at(page, 'files, trash is not offered')
  none = true
  await serverLink(page, 'Other').click()
  await tab(page, 'Files').click()
  await expect(page.getByRole('heading', { name: /does not offer files/ })).toBeVisible()
  await looks.at(page, 'files, not offered')
  looks.expectNothing()
})
