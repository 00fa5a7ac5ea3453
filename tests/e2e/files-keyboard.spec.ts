import { readFile } from 'node:fs/promises'
import path from 'node:path'
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
  const keyboard = page.keyboard

  /** Goes on with Tab until something has the focus. */
  const tabTo = async (target: ReturnType<typeof fileList>) => {
    for (let step = 0; step < 60; step++) {
      await keyboard.press('Tab')
      if (await target.evaluate((element) => element === document.activeElement)) return
    }
    throw new Error('Tab does not lead there')
  }

  // To the server and its files by the palette.
  for (const words of ['Far away', 'Files']) {
    await keyboard.press('ControlOrMeta+k')
    await keyboard.type(words)
    await expect(dialog(page).getByRole('option').first()).toContainText(words)
    await keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
  }
  await expect(tab(page, 'Files')).toHaveAttribute('aria-selected', 'true')
  await expect(fileRow(page, 'config')).toBeVisible()
  if (!(await fileList(page).evaluate((element) => element === document.activeElement)))
    await tabTo(fileList(page))

  // Into a folder and back; the cursor stands where it came from.
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await expect(fileRow(page, 'a.yml')).toBeVisible()
  await expect(fileList(page)).toBeFocused()
  await keyboard.press('Backspace')
  await expect(fileRow(page, 'config')).toHaveAttribute('aria-selected', 'true')

  await keyboard.press('F2')
  await keyboard.type('settings')
  await keyboard.press('Enter')
  await expect(fileRow(page, 'settings')).toHaveAttribute('aria-selected', 'true')
  await expect(fileList(page)).toBeFocused()
  await keyboard.press('Shift+ArrowDown')
  await expect(count(page)).toContainText('2 selected')
  await keyboard.press('Delete')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await tabTo(page.getByRole('button', { name: 'Undo' }))
  await keyboard.press('Enter')
  await expect(fileRow(page, 'settings')).toBeVisible()
  await expect(fileRow(page, 'notes.txt')).toBeVisible()

  // A new folder, cut and paste into it.
  await tabTo(page.getByRole('button', { name: 'New folder' }))
  await keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await keyboard.type('kept')
  await keyboard.press('Enter')
  await expect(fileRow(page, 'kept')).toHaveAttribute('aria-selected', 'true')
  await expect(fileList(page)).toBeFocused()
  await keyboard.type('notes')
  await expect(fileRow(page, 'notes.txt')).toHaveAttribute('aria-selected', 'true')
  await keyboard.press('ControlOrMeta+x')
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await keyboard.press('ControlOrMeta+v')
  await expect(fileRow(page, 'notes.txt')).toBeVisible()

  // The button for uploads opens the system's own dialog.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page.getByRole('button', { name: 'Upload', exact: true }))
  await keyboard.press('Enter')
  await (await chooser).setFiles(place.at('mine', 'new.txt'))
  await keyboard.press('ControlOrMeta+j')
  await expect(transferRow(page, 'new.txt')).toContainText('Done')
  await tabTo(transfers(page).getByRole('button', { name: 'Files of new.txt' }))
  await keyboard.press('Enter')
  await expect(transferRow(page, 'new.txt').getByRole('list')).toContainText('done')
  await keyboard.press('Escape')
  await expect(transfers(page)).toHaveCount(0)

  // Edited and saved.
  await tabTo(fileList(page))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await expect(code(page, 'new.txt')).toBeFocused()
  await keyboard.press('ControlOrMeta+End')
  await keyboard.type(' text')
  await keyboard.press('ControlOrMeta+s')
  await expect(editor(page, 'new.txt').getByRole('status').first()).toContainText('Saved')
  await keyboard.press('Escape')
  await tabTo(page.getByRole('button', { name: 'Close the file' }))
  await keyboard.press('Enter')
  // Back in the list one stands where one was, and the trash is gone into and left without a mouse.
  await expect(fileRow(page, 'new.txt')).toHaveAttribute('aria-selected', 'true')
  await expect(fileList(page)).toBeFocused()
  await tabTo(page.getByRole('button', { name: 'Trash' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Trash' })).toBeFocused()
  await keyboard.press('Escape')
  await expect(fileList(page)).toBeFocused()
  expect(await readFile(path.join(folder, 'kept', 'new.txt'), 'utf8')).toBe('new text')
  expect(Object.keys(await treeOf(folder)).sort()).toEqual(
    ['kept', 'kept/new.txt', 'kept/notes.txt', 'settings', 'settings/a.yml', 'settings/b.yml'].sort(),
  )
})
