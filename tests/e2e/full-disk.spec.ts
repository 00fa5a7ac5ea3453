import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { NO_DISK, SmallDisk } from '../faults/small-disk.ts'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { createJavaServer, ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, openSection, power, row, sendCommand, status, tab } from './fixtures/views.ts'

const MB = 1024 * 1024
const [OLD, NEW] = ['1.20.4', '1.20.6']
/** What is downloaded or started may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

/** A jar may begin with anything, so that it is about as large as a real one. */
async function largeJar(version: string): Promise<Buffer> {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version, build: '1' }))
  return Buffer.concat([Buffer.alloc(20 * MB, version), jar])
}

test('where the disk is full, installing and changing say so with figures and leave nothing half; with room both go on', async ({
  openPanel,
  place,
}) => {
  const disk = await SmallDisk.mount(place, 'panel', 420)
  test.skip(disk === null, NO_DISK)
  if (!disk) return
  const { catalogs, options } = await ownCatalogs(place)
  offerFill(catalogs, 'paper', [
    { id: NEW, java: 17, builds: [{ id: 7, jar: await largeJar(NEW) }] },
    { id: OLD, java: 17, builds: [{ id: 1, jar: await largeJar(OLD) }] },
  ])
  const panel = await openPanel(options)
  const { page } = panel
  const looks = new Looks()

  // Downloads leave a quarter of a gigabyte free, for the worlds.
  disk.fill(100 * MB)
  await createJavaServer(page, OLD)
  const failed = page.getByRole('region', { name: 'The installation failed' })
  await expect(failed).toContainText(/isn't enough space on the service's disk .* are free/, SLOWLY)
  await looks.at(page, 'installation failed')
  await openConsole(page)
  await expect(row(page, /space on the service's disk/)).toBeVisible(SLOWLY)
  await expect(status(page)).toHaveText('Offline')
  const said = page.getByRole('log', { name: 'Console output' })
  await expect(said).toContainText(
    /Paper 1\.20\.4 could not be installed\. .*it needs 2\d(\.\d)? MB, with 256 MB to spare, and \d+(\.\d)? MB are free\. Free up space/,
  )
  const service = path.join(disk.folder, 'service')
  const [id = ''] = await readdir(path.join(service, 'servers'))
  expect(await readdir(path.join(service, 'servers', id))).toEqual([])
  expect(await readdir(path.join(service, 'software', 'downloads', 'partial'))).toEqual([])

  disk.clear()
  await tab(page, 'Overview').click()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await expect(failed).toBeHidden()
  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)

  // A copy is made before a change; it leaves less.
  disk.fill(70 * MB)
  await openSection(page, 'Software')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('combobox', { name: 'Version' }).selectOption(NEW)
  const plan = page.getByText(
    /The backup needs 2\d(\.\d)? MB, but the service’s disk has only \d+(\.\d)? MB left/,
  )
  await expect(plan).toBeVisible()
  await looks.at(page, 'software, no room')
  disk.clear()
  for (const one of [OLD, NEW]) await page.getByRole('combobox', { name: 'Version' }).selectOption(one)
  await page.getByRole('button', { name: `Change to Paper ${NEW}` }).click()
  await expect(page.getByRole('button', { name: `Go back to Paper ${OLD}` })).toBeVisible(SLOWLY)

  // It runs out of room while it runs. What nobody has asked for lately can go; what the server came from cannot.
  const contents = path.join(service, 'software', 'downloads', 'content')
  const needed = await readdir(contents)
  await writeFile(path.join(contents, 'a'.repeat(64)), Buffer.alloc(60 * MB))
  await tab(page, 'Console').click()
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await sendCommand(page, 'crash disk-windows')
  const card = page.getByRole('region', { name: 'Crash' })
  const clear = card.getByRole('button', { name: /^Delete unused downloads \(60 MB\)$/ })
  await expect(clear).toBeVisible(SLOWLY)
  await looks.at(page, 'crash by a full disk')
  await clear.click()
  await expect(page.getByText(/^Freed 60 MB\.$/)).toBeVisible()
  await expect(clear).toBeHidden()
  expect(await readdir(contents)).toEqual(needed)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  looks.expectNothing()
  // While its disk is there.
  await panel.close()
})
