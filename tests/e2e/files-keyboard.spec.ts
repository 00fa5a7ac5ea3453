import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import {
  code,
  count,
  dialog,
  editor,
  fileList,
  fileRow,
  signedIn,
  transferRow,
  transfers,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { treeOf, write } from './fixtures/trees.ts'
import { tab } from './fixtures/views.ts'

/** Goes on with Tab until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('Tab does not lead there')
}

/** To the server and its files by the palette. */
async function goToFiles(page: Page): Promise<void> {
  for (const words of ['Far away', 'Files']) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(words)
    await expect(dialog(page).getByRole('option').first()).toContainText(words)
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
  }
  await expect(tab(page, 'Files')).toHaveAttribute('aria-selected', 'true')
  await expect(fileRow(page, 'config')).toBeVisible()
  if (!(await fileList(page).evaluate((element) => element === document.activeElement)))
    await tabTo(page, fileList(page))
}

/** Into a folder and back; the cursor stands where it came from. */
async function renameAndDelete(page: Page): Promise<void> {
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(fileRow(page, 'a.yml')).toBeVisible()
  await expect(fileList(page)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(fileRow(page, 'config')).toHaveAttribute('aria-selected', 'true')

  await page.keyboard.press('F2')
  await page.keyboard.type('settings')
  await page.keyboard.press('Enter')
  await expect(fileRow(page, 'settings')).toHaveAttribute('aria-selected', 'true')
  await expect(fileList(page)).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(count(page)).toContainText('2 selected')
  await page.keyboard.press('Delete')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await expect(fileList(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(fileRow(page, 'settings')).toBeVisible()
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
}

/** A new folder, cut and paste into it. */
async function makeFolderAndMove(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: 'New', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'New folder' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await page.keyboard.type('kept')
  await page.keyboard.press('Enter')
  await expect(fileRow(page, 'kept')).toHaveAttribute('aria-selected', 'true')
  await expect(fileList(page)).toBeFocused()
  await page.keyboard.type('notes')
  await expect(fileRow(page, 'notes.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ControlOrMeta+x')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
}

/** The button for uploads opens the system’s own dialog. */
async function upload(page: Page, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, page.getByRole('button', { name: 'Upload', exact: true }))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(file)
  await page.keyboard.press('ControlOrMeta+j')
  await expect(transferRow(page, 'new.txt')).toContainText('Done')
  await tabTo(page, transfers(page).getByRole('button', { name: 'Files of new.txt' }))
  await page.keyboard.press('Enter')
  await expect(transferRow(page, 'new.txt').getByRole('list')).toContainText('done')
  await page.keyboard.press('Escape')
  await expect(transfers(page)).toHaveCount(0)
}

/** Edited and saved. */
async function edit(page: Page): Promise<void> {
  await tabTo(page, fileList(page))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(code(page, 'new.txt')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' text')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(editor(page, 'new.txt').getByRole('status').first()).toContainText('Saved')
  await page.keyboard.press('Escape')
  await tabTo(page, page.getByRole('button', { name: 'Close the file' }))
  await page.keyboard.press('Enter')
}

test('files are found, renamed, deleted, brought back, uploaded and edited by keyboard alone', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  await write(folder, { 'config/a.yml': 'a: 1\n', 'config/b.yml': 'b: 1\n', 'notes.txt': 'notes' })
  await write(place.at('mine'), { 'new.txt': 'new' })

  await goToFiles(page)
  await renameAndDelete(page)
  await makeFolderAndMove(page)
  await upload(page, place.at('mine', 'new.txt'))
  await edit(page)
  // Back in the list one stands where one was, and the trash is gone into and left without a mouse.
  await expect(fileRow(page, 'new.txt')).toHaveAttribute('aria-selected', 'true')
  await expect(fileList(page)).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'More for this folder' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Trash' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Trash' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(fileList(page)).toBeFocused()
  expect(await readFile(path.join(folder, 'kept', 'new.txt'), 'utf8')).toBe('new text')
  expect(Object.keys(await treeOf(folder)).sort()).toEqual(
    ['kept', 'kept/new.txt', 'kept/notes.txt', 'settings', 'settings/a.yml', 'settings/b.yml'].sort(),
  )
})
