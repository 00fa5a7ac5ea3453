import { rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  code,
  dialog,
  fileList,
  fileRow,
  openEntry,
  openFiles,
  openTransfers,
  select,
  selectedDo,
  signedIn,
  transferRow,
  transfers,
  uploadFiles,
  uploadFolder,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { someBytes, write } from './fixtures/trees.ts'

// Nothing is half way to its colour when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Looks at a dialog that is open, and closes it. */
async function lookAndClose(looks: Looks, page: Page, name: string): Promise<void> {
  await expect(dialog(page)).toBeVisible()
  await looks.at(page, name)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
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
  await page.getByRole('button', { name: 'Trash' }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await looks.at(page, 'files, empty trash')
  await page.getByRole('button', { name: 'Back to the files' }).click()
  await openEntry(page, 'plugins')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await looks.at(page, 'files, empty folder')
  await page.getByRole('button', { name: 'New file' }).click()
  await lookAndClose(looks, page, 'files, new file')
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await expect(fileRow(page, 'world')).toBeVisible()
  await looks.at(page, 'files, list')
  await select(page, 'world', 'server.properties')
  await looks.at(page, 'files, selected')
  await fileList(page).focus()
  await page.keyboard.press('Alt+Enter')
  await lookAndClose(looks, page, 'files, properties of two')
  await select(page, 'server.properties')
  await selectedDo(page, 'Properties').click()
  await lookAndClose(looks, page, 'files, properties')
  await selectedDo(page, 'Pack into an archive').click()
  await lookAndClose(looks, page, 'files, pack')
  await select(page, 'backup.zip')
  await selectedDo(page, 'Unpack').click()
  await lookAndClose(looks, page, 'files, unpack')
  await selectedDo(page, 'Rename').click()
  await page.getByLabel('Name', { exact: true }).fill('world')
  await page.keyboard.press('Enter')
  await expect(fileList(page).getByRole('alert')).toBeVisible()
  await looks.at(page, 'files, a name that is taken')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New folder' }).click()
  await dialog(page).getByLabel('Name').fill('world')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(dialog(page).getByText('This name is taken here')).toBeVisible()
  await lookAndClose(looks, page, 'files, new folder')
  await page.getByRole('button', { name: 'Keep this place at hand' }).click()
  await select(page, 'server.properties', 'latest.log')
  await selectedDo(page, 'Copy').click()
  await openEntry(page, 'plugins')
  await selectedDo(page, 'Paste here').click()
  await expect(fileRow(page, 'latest.log')).toBeVisible()
  await selectedDo(page, 'Paste here').click()
  await lookAndClose(looks, page, 'files, taken names')
  await page.getByRole('link', { name: 'The server’s folder' }).click()
  await page.getByLabel('Filter this folder').fill('nothing like it')
  await expect(page.getByText('No name holds')).toBeVisible()
  await looks.at(page, 'files, nothing matches')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: /^Type the path/ }).click()
  await looks.at(page, 'files, typed path')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Search files' }).click()
  await looks.at(page, 'files, search')
  await page.getByLabel('Text in the file').fill('difficulty')
  await page.getByLabel('Text in the file').press('Enter')
  await expect(page.getByRole('list', { name: 'What was found' })).toBeVisible()
  await looks.at(page, 'files, found')
  await page.getByLabel('Text in the file').fill('not in any file')
  await page.getByLabel('Text in the file').press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await looks.at(page, 'files, nothing found')
  await page.getByRole('button', { name: 'Close the search' }).click()

  await truncate(path.join(folder, 'backup.zip'), 20_000_000_000)
  await select(page, 'backup.zip')
  await selectedDo(page, 'Pack into an archive').click()
  await dialog(page).getByRole('button', { name: 'Pack' }).click()
  const job = page.getByRole('list', { name: 'Archives in work' }).getByRole('listitem')
  await expect(job.getByRole('progressbar')).toBeVisible()
  await looks.at(page, 'files, packing')
  await job.getByRole('button', { name: 'Cancel' }).click()
  await expect(job).toHaveCount(0)
  await truncate(path.join(folder, 'backup.zip'), 10_000)

  await select(page, 'world', 'latest.log')
  await selectedDo(page, 'Delete').click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await looks.at(page, 'files, deleted')
  await page.getByRole('button', { name: 'Trash' }).click()
  await expect(page.getByRole('list', { name: 'Trash' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('list', { name: 'Trash' }).getByRole('checkbox').first().check()
  await looks.at(page, 'files, trash')
  await page.getByRole('button', { name: 'Remove for good' }).click()
  await lookAndClose(looks, page, 'files, remove for good')
  await page.getByRole('button', { name: 'Back to the files' }).click()
  await openEntry(page, 'plugins')
  await expect(fileRow(page, 'latest.log')).toBeVisible()
  // An address from another time, whose folder has gone since.
  await page.goto(page.url().replace(/plugins$/, 'was-here'))
  await expect(page.getByText('This folder is no longer there')).toBeVisible()
  await looks.at(page, 'files, folder that is gone')
  await service.program.end()
  await page.getByRole('button', { name: 'Go to the folder above' }).click()
  await expect(page.getByText('Nothing can be changed now')).toBeVisible()
  await looks.at(page, 'files, offline')
  looks.expectNothing()
})

test('axe finds nothing in the editor and its questions', async ({ openPanel, startService }) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  const file = path.join(folder, 'server.properties')
  const text = '# Made by hand\ndifficulty=easy\nmotd=A server\nmax-players=20\npvp=true\n'
  await write(folder, {
    'server.properties': text,
    'config.yml': 'name: test\nlist:\n  - 1\n  - "two" # a comment\n',
    'level.dat': someBytes(5000, 1),
    'large.log': '[12:00:00] [Server thread/INFO]: a line of the log\n'.repeat(120_000),
  })
  await openFiles(page, 'Far away')
  await openEntry(page, 'config.yml')
  await expect(code(page, 'config.yml')).toContainText('a comment')
  await looks.at(page, 'editor, yaml')
  await page.getByRole('button', { name: 'Former versions' }).click()
  await expect(page.getByText('No former version')).toBeVisible()
  await looks.at(page, 'editor, no former version')
  await page.getByRole('button', { name: 'Close the file' }).click()

  await openEntry(page, 'server.properties')
  await expect(code(page, 'server.properties')).toContainText('pvp')
  await code(page, 'server.properties').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('one-more=true')
  await looks.at(page, 'editor, unsaved')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('m')
  await looks.at(page, 'editor, search')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close the file' }).click()
  await lookAndClose(looks, page, 'editor, leaving')
  await writeFile(file, text.replace('easy', 'hard').replace('A server', 'Their server'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Somebody has changed this file meanwhile.')).toBeVisible()
  await looks.at(page, 'editor, comparison')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByRole('button', { name: 'Former versions' })).toBeVisible()
  await page.getByRole('button', { name: 'Former versions' }).click()
  await expect(page.getByRole('button', { name: 'Bring back' })).toBeEnabled()
  await looks.at(page, 'editor, former versions')
  await page.getByRole('button', { name: 'Close the former versions' }).click()
  await code(page, 'server.properties').click()
  await page.keyboard.type('x')
  await rm(file)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog(page)).toContainText('was deleted meanwhile')
  await looks.at(page, 'editor, deleted meanwhile')
  await dialog(page).getByRole('button', { name: 'Close without saving' }).click()

  await openEntry(page, 'large.log')
  await expect(page.getByRole('region', { name: 'Content of the file' })).toContainText('a line')
  await looks.at(page, 'pager, log')
  await page.getByLabel('Offset').fill('nowhere')
  await page.getByRole('button', { name: 'Jump' }).click()
  await looks.at(page, 'pager, wrong offset')
  await page.getByRole('button', { name: 'Close the file' }).click()
  await openEntry(page, 'level.dat')
  await expect(
    page.getByRole('region', { name: 'Content of the file' }).getByRole('row').nth(3),
  ).toBeVisible()
  await looks.at(page, 'pager, hex')
  looks.expectNothing()
})

test('axe finds nothing in the transfers', async ({ openPanel, startService, place }) => {
  const looks = new Looks()
  const service = await startService({ more: ['--max-file-bytes', '20000000'] })
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  await openFiles(page, 'Far away')
  await openTransfers(page)
  await looks.at(page, 'transfers, none')
  await write(folders[0] ?? '', { 'tree/a.txt': 'theirs', 'tree/b.txt': 'theirs' })
  await write(place.at('mine'), {
    'done.txt': 'done',
    'tree/a.txt': 'mine',
    'tree/b.txt': 'mine',
    'tree/too large.bin': someBytes(20_000_001, 1),
    'slow.bin': someBytes(15_000_000, 2),
    'waits.bin': someBytes(4_000_000, 3),
    'waits too.bin': someBytes(4_000_000, 4),
  })
  await uploadFiles(page, place.at('mine', 'done.txt'))
  await expect(transferRow(page, 'done.txt')).toContainText('Done')
  await page.getByLabel('Speed limit').selectOption(String(256 * 1024))
  await page.getByLabel('Files at once').selectOption('1')
  await uploadFolder(page, place.at('mine', 'tree'))
  await expect(transfers(page).getByRole('group', { name: /is there already/ })).toBeVisible()
  await uploadFiles(page, place.at('mine', 'slow.bin'))
  await expect(transferRow(page, 'slow.bin').getByRole('progressbar')).toHaveAttribute(
    'aria-valuenow',
    /^[1-9]/,
  )
  for (const name of ['waits.bin', 'waits too.bin']) await uploadFiles(page, place.at('mine', name))
  await expect(transferRow(page, 'waits.bin')).toContainText('Waiting')
  await looks.at(page, 'transfers, a question and those that wait')
  await transfers(page).getByRole('button', { name: 'Cancel waits.bin' }).click()
  await lookAndClose(looks, page, 'transfers, cancel')
  await transfers(page).getByRole('checkbox').check()
  await transfers(page).getByRole('button', { name: 'Skip' }).click()
  await transfers(page).getByRole('button', { name: 'Pause slow.bin' }).click()
  await expect(transferRow(page, 'slow.bin')).toContainText('Paused')
  await expect(transferRow(page, 'tree')).toContainText('1 failed')
  await transferRow(page, 'tree').getByRole('button', { name: 'Files of tree' }).click()
  await expect(transferRow(page, 'tree')).toContainText('Failed')
  await expect(transferRow(page, 'tree').getByRole('list')).toContainText('too large.bin')
  await looks.at(page, 'transfers, paused and failed')
  await page.getByLabel('Speed limit').selectOption('none')
  await service.program.end()
  await transfers(page).getByRole('button', { name: 'Go on with slow.bin' }).click()
  await expect(transferRow(page, 'slow.bin')).toContainText('Waits for the service')
  await looks.at(page, 'transfers, the service is away')
  await service.start()
  await expect(transferRow(page, 'slow.bin')).toContainText('Done', { timeout: 60_000 })
  await looks.at(page, 'transfers, history')
  looks.expectNothing()
})
