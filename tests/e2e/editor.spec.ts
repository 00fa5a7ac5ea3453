import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  choose,
  code,
  dialog,
  doSelected,
  editor,
  fileList,
  fileRow,
  openEntry,
  openFiles,
  select,
  signedIn,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { someBytes, write } from './fixtures/trees.ts'
import { serverLink, tab } from './fixtures/views.ts'

// A text is opened, changed and saved; what somebody else did meanwhile is never lost.

const PROPERTIES = 'motd=A server\nmax-players=20\ndifficulty=easy\n'

/** Writes at the end of the text, as a person does. */
async function append(page: Page, name: string, text: string): Promise<void> {
  await code(page, name).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(text)
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const standing = (page: Page, name: string) => editor(page, name).getByRole('status').first()

test('a file is changed and saved, and its former version brought back', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const file = path.join(folders[0] ?? '', 'server.properties')
  await write(folders[0] ?? '', { 'server.properties': PROPERTIES })
  await openFiles(page, 'Far away')
  await openEntry(page, 'server.properties')
  await expect(code(page, 'server.properties')).toContainText('max-players=20')
  await append(page, 'server.properties', 'pvp=false')
  await expect(standing(page, 'server.properties')).toContainText('Unsaved')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(standing(page, 'server.properties')).toContainText('Saved')
  expect(await readFile(file, 'utf8')).toBe(`${PROPERTIES}pvp=false`)

  await page.getByRole('button', { name: 'Previous versions' }).click()
  const former = page.getByRole('region', { name: 'Previous versions' })
  await former.getByRole('button', { name: 'Restore' }).click()
  await expect(code(page, 'server.properties')).not.toContainText('pvp=false')
  await save(page).click()
  await expect(standing(page, 'server.properties')).toContainText('Saved')
  expect(await readFile(file, 'utf8')).toBe(PROPERTIES)

  // Deleted and made again under its name, its versions are still there.
  await page.getByRole('button', { name: 'Close the file' }).click()
  await select(page, 'server.properties')
  await doSelected(page, 'Delete')
  await expect(fileRow(page, 'server.properties')).toHaveCount(0)
  await choose(page, 'New', 'New file')
  await dialog(page).getByLabel('Name').fill('server.properties')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(code(page, 'server.properties')).toHaveText('')
  await page.getByRole('button', { name: 'Previous versions' }).click()
  await expect(former.getByRole('combobox')).toContainText('deleted')
  await former.getByRole('button', { name: 'Restore' }).click()
  await save(page).click()
  await expect(standing(page, 'server.properties')).toContainText('Saved')
  expect(await readFile(file, 'utf8')).toBe(PROPERTIES)
})

test('what was changed meanwhile is compared, and mine or theirs is chosen', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const file = path.join(folders[0] ?? '', 'server.properties')
  await write(folders[0] ?? '', { 'server.properties': PROPERTIES })
  await openFiles(page, 'Far away')
  await openEntry(page, 'server.properties')
  await expect(code(page, 'server.properties')).toContainText('max-players=20')
  await append(page, 'server.properties', 'mine=1')
  const theirs = PROPERTIES.replace('20', '99')
  await writeFile(file, theirs)
  await save(page).click()
  await expect(page.getByText('This file has been changed elsewhere.')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(theirs)
  await expect(editor(page, 'server.properties')).toContainText('max-players=99')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(standing(page, 'server.properties')).toContainText('Saved')
  expect(await readFile(file, 'utf8')).toBe(`${PROPERTIES}mine=1`)

  // Theirs were kept here before they were written over.
  await page.getByRole('button', { name: 'Previous versions' }).click()
  await expect(page.getByRole('region', { name: 'Previous versions' })).toContainText('max-players=99')
  await page.getByRole('button', { name: 'Close previous versions' }).click()

  await append(page, 'server.properties', '\nmine=2')
  await writeFile(file, theirs)
  await save(page).click()
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await expect(code(page, 'server.properties')).toContainText('max-players=99')
  await expect(code(page, 'server.properties')).not.toContainText('mine=2')
  expect(await readFile(file, 'utf8')).toBe(theirs)
})

test('a file that was deleted meanwhile is not made again without a word', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  await write(folder, { 'config/ops.json': '[]\n', 'config/bans.json': '[]\n' })
  await openFiles(page, 'Far away')
  await openEntry(page, 'config')
  await openEntry(page, 'ops.json')
  await expect(code(page, 'ops.json')).toHaveText('[]')
  await append(page, 'ops.json', ' ')
  await rm(path.join(folder, 'config', 'ops.json'))
  await save(page).click()
  await expect(dialog(page)).toContainText('ops.json has been deleted')
  await expect(readFile(path.join(folder, 'config', 'ops.json'))).rejects.toThrow('ENOENT')
  await dialog(page).getByRole('button', { name: 'Create it again' }).click()
  await expect(standing(page, 'ops.json')).toContainText('Saved')
  expect(await readFile(path.join(folder, 'config', 'ops.json'), 'utf8')).toBe('[]\n ')
  await page.getByRole('button', { name: 'Close the file' }).click()

  await openEntry(page, 'bans.json')
  await append(page, 'bans.json', ' ')
  await rm(path.join(folder, 'config', 'bans.json'))
  await save(page).click()
  await dialog(page).getByRole('button', { name: 'Close without saving' }).click()
  await expect(fileRow(page, 'ops.json')).toBeVisible()
  await expect(fileRow(page, 'bans.json')).toHaveCount(0)
  await expect(readFile(path.join(folder, 'config', 'bans.json'))).rejects.toThrow('ENOENT')
})

test('leaving with an unsaved text asks, and a reload brings it back', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const file = path.join(folders[0] ?? '', 'motd.txt')
  await write(folders[0] ?? '', { 'motd.txt': 'Hello' })
  await openFiles(page, 'Far away')
  await openEntry(page, 'motd.txt')
  await append(page, 'motd.txt', ' world')
  for (const leave of [
    () => tab(page, 'Overview').click(),
    () => page.goBack(),
    () => page.getByRole('button', { name: 'Close the file' }).click(),
  ]) {
    await leave()
    await expect(dialog(page)).toContainText('Save the changes to motd.txt?')
    await dialog(page).getByRole('button', { name: 'Stay here' }).click()
    await expect(code(page, 'motd.txt')).toHaveText('Hello world')
  }
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect(code(page, 'motd.txt')).toHaveText('Hello world')
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe('Hello')
  await serverLink(page, 'Far away').click()
  await dialog(page).getByRole('button', { name: 'Save and leave' }).click()
  await expect(fileList(page)).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe('Hello world')
})

test('a text that was not saved is there again when panel and window were killed', async ({
  openPanel,
  startService,
  guard,
}) => {
  guard.allow(/WebSocket connection to .* failed/)
  guard.allow(/ERR_CONNECTION_REFUSED/)
  const service = await startService()
  const panel = await openPanel()
  const { folders } = await signedIn(panel.page, service, 'Far away')
  const file = path.join(folders[0] ?? '', 'motd.txt')
  await write(folders[0] ?? '', { 'motd.txt': 'Hello' })
  await openFiles(panel.page, 'Far away')
  await openEntry(panel.page, 'motd.txt')
  await append(panel.page, 'motd.txt', ' world')
  const [, connectionId = '', serverId = ''] = /#\/c\/([^/]+)\/s\/([^/]+)/.exec(panel.page.url()) ?? []
  const kept = () =>
    panel.page.evaluate(
      async (of) => {
        const answer = await window.panel.call('files.draft', of)
        return answer.ok ? answer.value?.text : answer.problem.code
      },
      { connectionId, serverId, path: 'motd.txt' },
    )
  await expect.poll(kept).toBe('Hello world')
  await panel.kill()
  await panel.page.close({ runBeforeUnload: false })

  const { page } = await openPanel({ data: panel.data })
  await openFiles(page, 'Far away')
  await openEntry(page, 'motd.txt')
  await expect(code(page, 'motd.txt')).toHaveText('Hello world')
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await save(page).click()
  await expect(standing(page, 'motd.txt')).toContainText('Saved')
  expect(await readFile(file, 'utf8')).toBe('Hello world')
})

test('a large log and a file that is no text are looked at page by page', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const lines = Array.from(
    { length: 100_000 },
    (_, line) => `[12:00:00] [Server thread/INFO]: line ${line} of the log\n`,
  )
  await write(folders[0] ?? '', { 'latest.log': lines.join(''), 'level.dat': someBytes(100_000, 1) })
  await utimes(path.join(folders[0] ?? '', 'level.dat'), 1_600_000_000, 1_600_000_000)
  await openFiles(page, 'Far away')
  await openEntry(page, 'latest.log')
  await expect(page.getByText('This file is too large to edit here')).toBeVisible()
  const content = page.getByRole('region', { name: 'Content of the file' })
  await expect(content).toContainText('line 0 of the log')
  await page.getByRole('button', { name: 'Last page' }).click()
  await expect(content).toContainText('line 99999 of the log')
  await page.getByLabel('Offset').fill('50 %')
  await page.getByRole('button', { name: 'Jump' }).click()
  await expect(content).toContainText(/line (49|50)\d{3} of the log/)
  await page.getByRole('button', { name: 'Close the file' }).click()

  await openEntry(page, 'level.dat')
  await expect(page.getByText('This is not a text file')).toBeVisible()
  await expect(content.getByRole('row').nth(1)).toContainText(
    [...someBytes(4, 1)].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
  )
  await expect(save(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Close the file' }).click()
  await expect(fileList(page)).toBeVisible()
})
