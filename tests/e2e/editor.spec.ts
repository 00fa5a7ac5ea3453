import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import {
  choose,
  code,
  dialog,
  doSelected,
  editor,
  fileRow,
  openEntry,
  openFiles,
  select,
  signedIn,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { write } from './fixtures/trees.ts'

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
