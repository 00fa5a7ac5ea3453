import path from 'node:path'
import {
  allEnded,
  closeTransfers,
  dialog,
  doSelected,
  fileRow,
  openEntry,
  openFiles,
  openTrash,
  searchField,
  select,
  selectedMenu,
  transferred,
  uploadFiles,
  uploadFolder,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { plainFront } from '../doubles/services/plain-front.ts'
import { someBytes, treeOf, write } from './fixtures/trees.ts'
import { signIn } from './fixtures/views.ts'

test('with a service that has neither tus nor batch, trash, archives and search, files move the simple way', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const missing = /^\/servers\/files\/(batch|trash|restore|purge|archive|extract|jobs|search|limits)\//
  const front = await plainFront(service.baseUrl, ({ path: asked, tus }) => tus || missing.test(asked))
  place.atEnd(() => front.close())
  const account = await service.account('Ann')
  const folder = service.folder(await service.server(account.token, 'Plain'))
  const { page } = await openPanel()
  await signIn(page, front.baseUrl, account)
  await write(place.at('mine'), {
    'tree/a.txt': 'a',
    'tree/deeper/世界.txt': 'b',
    'tree/empty.txt': '',
    'big.bin': someBytes(3_000_000, 1),
  })
  await openFiles(page, 'Plain')
  await uploadFiles(page, place.at('mine', 'big.bin'))
  await transferred(page, 'big.bin')
  await uploadFolder(page, place.at('mine', 'tree'))
  await transferred(page, 'tree')
  expect(await treeOf(folder)).toEqual(await treeOf(place.at('mine')))
  expect(front.refused).toContainEqual(expect.stringMatching(/^POST \/servers\/files\/upload/))
  await closeTransfers(page)

  await searchField(page).fill('a')
  await searchField(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'This service does not offer file search' })).toBeVisible()
  await page.getByRole('button', { name: 'Close search' }).click()
  await openTrash(page)
  await expect(page.getByRole('heading', { name: 'This service does not offer a trash' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to files' }).click()
  await select(page, 'tree')
  await doSelected(page, 'Compress')
  await dialog(page).getByRole('button', { name: 'Compress' }).click()
  await expect(dialog(page)).toContainText('does not offer')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(await selectedMenu(page, 'Compress')).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')

  // What it does offer works.
  await select(page, 'tree')
  await doSelected(page, 'Download')
  await allEnded(page, 3)
  expect(await treeOf(place.at('Downloads', 'tree'))).toEqual(await treeOf(path.join(folder, 'tree')))
  await openEntry(page, 'tree')
  await expect(fileRow(page, 'a.txt')).toBeVisible()
})
