import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  allEnded,
  count,
  doSelected,
  dropOnto,
  fileList,
  fileRow,
  openEntry,
  openFiles,
  select,
  signedIn,
  transferred,
} from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { hashOf, timesOf, treeOf } from './fixtures/trees.ts'
import { openConsole, power, sendCommand, status, tab } from './fixtures/views.ts'

test('a folder of 20,000 entries is shown, filtered, sorted and scrolled by keys', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Far away')
  const folder = path.join(folders[0] ?? '', 'many')
  await mkdir(folder)
  const names = Array.from({ length: 20_000 }, (_, index) => `entry-${index}.txt`)
  for (let at = 0; at < names.length; at += 500)
    await Promise.all(
      names
        .slice(at, at + 500)
        .map((name, index) => writeFile(path.join(folder, name), 'x'.repeat((at + index) % 97))),
    )
  await openFiles(page, 'Far away')
  await openEntry(page, 'many')
  await expect(count(page)).toHaveText('20,000 items')
  // Numbers are numbers: 2 stands before 10.
  await expect(fileList(page).getByRole('row').nth(3)).toContainText('entry-2.txt')
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
  expect(await nodes()).toBeLessThanOrEqual(3000)
  await fileList(page).focus()
  await page.keyboard.press('End')
  await expect(fileRow(page, 'entry-19999.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('Shift+PageUp')
  await expect(count(page)).toContainText('selected')
  expect(await nodes()).toBeLessThanOrEqual(3000)
  await page.keyboard.press('Home')
  await expect(fileRow(page, 'entry-0.txt')).toBeInViewport()

  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('entry-1234')
  await expect(count(page)).toHaveText('11 of 20,000')
  await page.keyboard.press('Escape')
  await expect(count(page)).toContainText(/selected|20,000 items/)
  // By typing the name.
  await page.keyboard.type('entry-777.')
  await expect(fileRow(page, 'entry-777.txt')).toBeInViewport()
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', /ending/)
  expect(await nodes()).toBeLessThanOrEqual(3000)

  // Entries are the files they are named for: some from every part of the list, as they come down.
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await fileList(page).focus()
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('entry-1999')
  await expect(count(page)).toHaveText('11 of 20,000')
  await fileList(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(count(page)).toContainText('11 selected')
  await doSelected(page, 'Download')
  await allEnded(page, 1)
  const down = await treeOf(place.at('Downloads'))
  expect(Object.keys(down)).toHaveLength(11)
  for (const [name, hash] of Object.entries(down)) expect(hash).toBe(await hashOf(path.join(folder, name)))
})

test('the world of a running server is downloaded, and put into a second server as it is', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'First', 'Second')
  const [first = '', second = ''] = folders
  await openFiles(page, 'First')
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', { timeout: 60_000 })
  // The world is written, so that there is something to hold.
  await openConsole(page)
  await sendCommand(page, 'save-all')
  await tab(page, 'Files').click()
  await expect(page.getByRole('note', { name: /it may overwrite your changes/ })).toBeVisible()
  await expect(fileRow(page, 'world')).toBeVisible()
  await fileList(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await doSelected(page, 'Download')
  await allEnded(page, 1)
  const whileRunning = {
    tree: await treeOf(place.at('Downloads')),
    times: await timesOf(place.at('Downloads')),
  }
  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline', { timeout: 60_000 })

  // What the server did not write in the meantime is the same, byte for byte.
  const [tree, times] = [await treeOf(first), await timesOf(first)]
  const same = Object.keys(times).filter((name) => times[name] === whileRunning.times[name])
  expect(same.filter((name) => name.startsWith('world/'))).not.toEqual([])
  const still = (of: Record<string, string>) => Object.fromEntries(same.map((name) => [name, of[name]]))
  expect(still(whileRunning.tree)).toEqual(still(tree))
  expect(Object.keys(tree).some((name) => name.startsWith('world/'))).toBe(true)

  await fileList(page).focus()
  await select(page, 'world')
  await doSelected(page, 'Download')
  await allEnded(page, 2)
  const copy = place.at('Downloads', 'world (2)')
  expect(await treeOf(copy)).toEqual(await treeOf(path.join(first, 'world')))
  await openFiles(page, 'Second')
  // A file dialog gives no empty folders; a drop does.
  await dropOnto(page, fileList(page), [copy])
  await transferred(page, 'world (2)')
  expect(await treeOf(path.join(second, 'world (2)'))).toEqual(await treeOf(path.join(first, 'world')))
  await fileRow(page, 'world (2)').click()
  await page.keyboard.press('F2')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('world')
  await page.keyboard.press('Enter')
  await expect(fileRow(page, 'world')).toBeVisible()
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', { timeout: 60_000 })
})
