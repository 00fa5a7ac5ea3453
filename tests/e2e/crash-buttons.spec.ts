import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { pluginJar } from '../fixtures/extension-jar.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { levelDat } from '../fixtures/moved-server.ts'
import { createJavaServer, ownCatalogs } from './fixtures/catalogs.ts'
import { expect, type OpenPanel, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Place } from './fixtures/place.ts'
import { openConsole, openSection, power, sendCommand, status, tab } from './fixtures/views.ts'

const [OLD, NEW] = ['1.20.4', '1.20.6']
/** A Java server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

/** A Paper server on this computer, which is down, and what these journeys do with it. */
async function withServer(openPanel: OpenPanel, place: Place) {
  const { catalogs, options } = await ownCatalogs(place)
  const jar = async (version: string) => readFile(await javaServerJar({ kind: 'paper', version, build: '1' }))
  offerFill(catalogs, 'paper', [
    { id: NEW, java: 17, builds: [{ id: 7, jar: await jar(NEW) }] },
    { id: OLD, java: 17, builds: [{ id: 1, jar: await jar(OLD) }] },
  ])
  const { page } = await openPanel(options)
  await createJavaServer(page, OLD)
  const is = (name: 'Offline' | 'Online' | 'Crashed') => expect(status(page)).toHaveText(name, SLOWLY)
  await is('Offline')
  const card = page.getByRole('region', { name: 'Crash' })
  const servers = path.join(place.at('panel'), 'service', 'servers')
  const at = (...names: string[]) => path.join(servers, readdirSync(servers)[0] ?? '', ...names)
  return {
    ...{ page, is, at, card, looks: new Looks() },
    mend: (name: string) => card.getByRole('button', { name, exact: true }),
    way: (name: string) => card.getByRole('link', { name, exact: true }),
    start: () => power(page, 'Start').click(),
    overview: () => tab(page, 'Overview').click(),
    put: async (name: string, bytes: Buffer | string) => {
      await mkdir(path.dirname(at(name)), { recursive: true })
      await writeFile(at(name), bytes)
    },
    stop: async () => {
      await power(page, 'Stop').click()
      await is('Offline')
    },
    crash: async (name: string, title: string) => {
      await is('Online')
      await openConsole(page)
      await sendCommand(page, `crash ${name}`)
      await is('Crashed')
      await expect(card.getByRole('heading')).toHaveText(title)
    },
  }
}

test('what a crash card offers for the license, for plugins and for Java does what it says', async ({
  openPanel,
  place,
}) => {
  const { page, looks, is, at, put, start, crash, mend, way, overview } = await withServer(openPanel, place)
  await put('plugins/ShopSigns-3.1.jar', await pluginJar({ name: 'ShopSigns', version: '3.1' }))
  await start()

  await crash('eula-fabric', 'The license has not been accepted')
  await looks.at(page, 'crash by the license')
  await writeFile(at('eula.txt'), 'eula=false\n')
  await mend('Accept and start').click()
  await is('Online')
  expect(await readFile(at('eula.txt'), 'utf8')).toContain('eula=true')

  await crash('missing-paper', 'ShopSigns needs Vault, LibOfSigns')
  await looks.at(page, 'crash by what is missing')
  await way('Find what is missing').click()
  await expect(tab(page, 'Plugins')).toHaveAttribute('aria-selected', 'true')
  await overview()
  await way('Open the folder').click()
  await expect(page.getByRole('row', { name: /ShopSigns-3\.1\.jar/ })).toBeVisible()
  await overview()
  await way('Show log').click()
  await mend('Turn off ShopSigns-3.1.jar').click()
  await expect(page.getByText(/^ShopSigns-3\.1\.jar is turned off/)).toBeVisible()
  expect(readdirSync(at('plugins'))).toEqual(['ShopSigns-3.1.jar.disabled'])

  await openSection(page, 'Java and starting')
  const java = page.getByLabel('Java', { exact: true })
  await java.selectOption('17')
  await page.getByRole('button', { name: 'Save' }).click()
  await start()
  await crash('wrong-java', 'The server needs Java 21')
  await looks.at(page, 'crash by the Java that was chosen')
  await way('Choose Java').click()
  await expect(java).toHaveValue('17')
  await overview()
  await mend('Let the server choose its Java and start').click()
  await is('Online')
  await openSection(page, 'Java and starting')
  await expect(java).toHaveValue('auto')
  looks.expectNothing()
})

test('what a crash card offers for datapacks, worlds, room and changes does what it says', async ({
  openPanel,
  place,
}) => {
  const { page, card, looks, is, at, put, start, stop, crash, mend, way, overview } = await withServer(
    openPanel,
    place,
  )
  await put('world/datapacks/broken.zip', 'no zip')
  await start()
  await is('Crashed')
  await overview()
  await looks.at(page, 'crash by datapacks')
  await mend('Start once without datapacks').click()
  await is('Online')
  await stop()

  await rm(at('world/datapacks'), { recursive: true })
  await put('world/level.dat', 'torn')
  await put('world/level.dat_old', levelDat(OLD))
  await start()
  await is('Crashed')
  await looks.at(page, 'crash by a damaged world')
  await mend('Use the older level.dat and start').click()
  await is('Online')
  expect(await readFile(at('world/level.dat'))).not.toEqual(Buffer.from('torn'))

  await put('world/region/r.0.-1.mca', 'torn')
  await crash('chunk-vanilla', 'The world is damaged at chunk 12, -7')
  await looks.at(page, 'crash by a damaged chunk')
  await mend('Move world/region/r.0.-1.mca to the trash').click()
  await expect(page.getByText(/^world\/region\/r\.0\.-1\.mca is in the trash/)).toBeVisible()
  expect(existsSync(at('world/region/r.0.-1.mca'))).toBe(false)
  await start()

  await crash('disk-paper', 'The disk is full')
  await way('Open the trash').click()
  await expect(page.getByRole('list', { name: 'Trash' }).getByText('r.0.-1.mca')).toBeVisible()

  await openSection(page, 'Software')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('combobox', { name: 'Version' }).selectOption(NEW)
  await page.getByRole('button', { name: `Change to Paper ${NEW}` }).click()
  await expect(page.getByRole('button', { name: `Go back to Paper ${OLD}` })).toBeVisible(SLOWLY)
  await start()
  await crash('memory', 'The server ran out of memory')
  await looks.at(page, 'crash after a change')
  await way('Open the settings').click()
  await expect(tab(page, 'Settings')).toHaveAttribute('aria-selected', 'true')
  await overview()
  await mend(`Go back to Paper ${OLD}`).click()
  await looks.at(page, 'crash, go back?')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back to before the change' }).click()
  await expect(page.getByText(/^The server is as it was before the change\./)).toBeVisible(SLOWLY)
  await start()
  await is('Online')
  await expect(card).toBeHidden()
  looks.expectNothing()
})
