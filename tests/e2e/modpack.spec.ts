import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFabric, offerVanilla } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../fixtures/extension-jar.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { makePack, type PackedFile } from '../fixtures/modpack.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { power, status, tab } from './fixtures/views.ts'

const GAME = '1.20.4'
const LOADER = '0.16.9'
/** What is downloaded and started may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

/** Fabric, and a pack in two versions with mods for servers, for both sides and for players. Answers the first as a file. */
async function offerPack(server: CatalogServer): Promise<Buffer> {
  const about = `game-version=${GAME}\nfabric-loader-version=${LOADER}\n`
  const fabric = { kind: 'fabric', version: GAME, entries: { 'install.properties': about } } as const
  offerVanilla(server, [{ id: GAME, java: 17 }])
  offerFabric(server, {
    games: [{ version: GAME, stable: true }],
    loaders: [{ version: LOADER, stable: true }],
    jars: { [`${GAME}/${LOADER}`]: await readFile(await javaServerJar(fabric)) },
  })
  const catalogs = new ExtensionCatalogs(server)
  const mod = async (name: string, version: string, env?: PackedFile['env']): Promise<PackedFile> => {
    const offered = await catalogs.offer({
      ...{ catalog: 'modrinth', name, games: [GAME], loaders: ['fabric'] },
      versions: [{ name: version, jar: await pluginJar({ name, version, form: 'fabric' }) }],
    })
    const [{ jar, url, fileName }] = offered.versions as [(typeof offered.versions)[0]]
    return { path: `mods/${fileName}`, bytes: jar, url, ...(env && { env }) }
  }
  const lithium = await mod('Lithium', '1.0')
  const newer = await mod('Lithium', '2.0')
  const shaders = await mod('Shaders', '5.1', { client: 'required', server: 'unsupported' })
  const map = await mod('World Map', '3.2', { client: 'optional', server: 'optional' })
  const within = { 'overrides/config/lithium.properties': 'fast=true\n' }
  const pack = { name: 'Cozy Cottage', within }
  const [one, two] = await Promise.all([
    makePack({ ...pack, version: '1.0', files: [lithium, shaders, map] }),
    makePack({ ...pack, version: '1.1', files: [newer, shaders, map] }),
  ])
  await catalogs.offer({
    ...{ catalog: 'modrinth', name: 'Cozy Cottage', games: [GAME], loaders: ['fabric'], isPack: true },
    ...{ summary: 'A calm world with little houses, gardens and a map.', downloads: 120_000 },
    versions: [
      { name: '1.0', jar: one },
      { name: '1.1', jar: two },
    ],
  })
  return one
}

/** Lets the built-in service ask these catalogs. */
async function writeSettings(data: string, server: CatalogServer): Promise<void> {
  await mkdir(path.join(data, 'service'), { recursive: true, mode: 0o700 })
  await writeFile(path.join(data, 'service', 'catalogs.json'), JSON.stringify(server.settings))
}

/** Changes a file of the one server by hand, and answers its path. */
async function changeConfig(servers: string): Promise<string> {
  const [id] = await readdir(servers)
  const config = path.join(servers, id!, 'config/lithium.properties')
  await writeFile(config, 'fast=false\n')
  return config
}

test('a server is created from a modpack, its players get their list, and an update is taken and taken back', async ({
  openPanel,
  place,
}) => {
  const server = await CatalogServer.start()
  try {
    await offerPack(server)
    await writeSettings(place.at('panel'), server)
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()

    await page.getByRole('button', { name: 'This computer' }).click()
    await page.getByRole('radio', { name: 'Modpack' }).check()
    const results = page.getByRole('list', { name: 'Modpacks' })
    await expect(results.getByRole('button', { name: /Cozy Cottage/ })).toBeVisible()
    await looks.at(page, 'modpack, found')
    await page.getByRole('searchbox', { name: 'Find a modpack' }).fill('cozy')
    await results.getByRole('button', { name: /Cozy Cottage/ }).click()
    const version = page.getByRole('combobox', { name: 'Version of the modpack' })
    await expect(version.locator('option')).toHaveText([`1.1 · Minecraft ${GAME}`, `1.0 · Minecraft ${GAME}`])
    await version.selectOption({ index: 1 })
    await expect(page.getByText(`Fabric ${LOADER} for Minecraft ${GAME}`)).toBeVisible()
    await expect(
      page.getByRole('checkbox', { name: 'Shaders Client only, according to the modpack.' }),
    ).not.toBeChecked()
    await looks.at(page, 'modpack, plan')
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Cozy Cottage')
    await page.getByRole('textbox', { name: 'Name' }).fill('Meadow')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)

    await tab(page, 'Mods').click()
    const strip = page.getByRole('group', { name: 'Modpack' })
    await expect(strip).toContainText('Cozy Cottage 1.0')
    const row = (name: RegExp) => page.getByRole('row', { name })
    for (const name of [/Lithium 1\.0/, /World Map/]) await expect(row(name)).toBeVisible()
    await expect(row(/Shaders/)).toHaveCount(0)
    await strip.getByRole('button', { name: 'List for players' }).click()
    const dialog = page.getByRole('dialog')
    const list = dialog.getByRole('list', { name: 'List for players' })
    await expect(list.getByRole('listitem')).toHaveText([
      /Lithium.*1\.0/,
      /Shaders.*5\.1/,
      /World Map.*optional.*3\.2/,
    ])
    await looks.at(page, 'modpack, list for players')
    await dialog.getByRole('button', { name: 'Save as web page' }).click()
    await expect(dialog.getByRole('status')).toContainText('Saved to ')
    const saved = (await dialog.getByRole('status').textContent())!.replace(/.*Saved to /s, '').trim()
    expect(await readFile(saved, 'utf8')).toContain('Shaders 5.1')
    await dialog.getByRole('button', { name: 'Close' }).first().click()

    const config = await changeConfig(place.at('panel/service/servers'))
    await strip.getByRole('button', { name: 'Update to 1.1…' }).click()
    const own = dialog.getByRole('checkbox', { name: 'config/lithium.properties You changed this file.' })
    await expect(own).toBeChecked()
    await own.scrollIntoViewIfNeeded()
    for (const done of ['added', 'removed']) await expect(dialog.getByText(`1 file is ${done}`)).toBeVisible()
    await looks.at(page, 'modpack, update')
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(strip).toContainText('Cozy Cottage 1.1', SLOWLY)
    await expect(row(/Lithium 2\.0/)).toBeVisible(SLOWLY)
    expect(await readFile(config, 'utf8')).toBe('fast=false\n')
    await looks.at(page, 'modpack, updated')
    await power(page, 'Start').click()
    await expect(status(page)).toHaveText('Online', SLOWLY)
    await power(page, 'Stop').click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)

    await strip.getByRole('button', { name: 'Go back' }).click()
    await looks.at(page, 'modpack, go back')
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await expect(strip).toContainText('Cozy Cottage 1.0', SLOWLY)
    await expect(row(/Lithium 1\.0/)).toBeVisible(SLOWLY)
    looks.expectNothing()
  } finally {
    await server.stop()
  }
})

test('a server is created from a modpack of this computer, by keyboard', async ({ openPanel, place }) => {
  const server = await CatalogServer.start()
  try {
    const file = await offerPack(server)
    await writeSettings(place.at('panel'), server)
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()
    await page.getByRole('button', { name: 'This computer' }).click()
    await page.getByRole('radio', { name: 'Modpack' }).check()
    await expect(page.getByRole('list', { name: 'Modpacks' })).toBeVisible()
    await looks.at(page, 'modpack, found or a file')
    const choosing = page.waitForEvent('filechooser')
    const choose = page.getByRole('button', { name: 'Choose a .mrpack file' })
    await choose.focus()
    await page.keyboard.press('Enter')
    await (
      await choosing
    ).setFiles({ name: 'Cozy.mrpack', mimeType: 'application/octet-stream', buffer: file })
    await expect(page.getByText(`Fabric ${LOADER} for Minecraft ${GAME}`)).toBeVisible(SLOWLY)
    // What was pressed is gone, and the keyboard stands where it goes on.
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Choose another modpack' })).toBeFocused()
    await looks.at(page, 'modpack, from a file')
    await page.getByRole('textbox', { name: 'Name' }).fill('From a file')
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)
    await tab(page, 'Mods').click()
    const strip = page.getByRole('group', { name: 'Modpack' })
    await expect(strip).toContainText('Cozy Cottage 1.0', SLOWLY)
    await expect(page.getByRole('row', { name: /Lithium 1\.0/ })).toBeVisible(SLOWLY)
    looks.expectNothing()
  } finally {
    await server.stop()
  }
})

test('a modpack and a mod of this computer are installed on a server that is there, by keyboard alone', async ({
  openPanel,
  place,
}) => {
  const server = await CatalogServer.start()
  try {
    const file = await offerPack(server)
    await writeSettings(place.at('panel'), server)
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()
    const dialog = page.getByRole('dialog')
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    const give = async (name: string, given: { name: string; buffer: Buffer }) => {
      const choosing = page.waitForEvent('filechooser')
      await press(name)
      await (await choosing).setFiles({ mimeType: 'application/octet-stream', ...given })
    }
    await page.getByRole('button', { name: 'This computer' }).click()
    await page.getByRole('radio', { name: 'Fabric' }).check()
    await expect(page.getByLabel('Version', { exact: true })).toHaveValue(GAME)
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await press('Create')
    await expect(status(page)).toHaveText('Offline', SLOWLY)

    await tab(page, 'Mods').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('No mods yet')).toBeVisible()
    await press('Install a modpack…')
    await expect(dialog.getByRole('list', { name: 'Modpacks' })).toBeVisible()
    await looks.at(page, 'modpack, install dialog')
    await give('Choose a .mrpack file', { name: 'Cozy.mrpack', buffer: file })
    await expect(dialog.getByText(`Fabric ${LOADER} for Minecraft ${GAME}`)).toBeVisible(SLOWLY)
    await expect(dialog.getByText('A backup is made first.', { exact: false })).toBeVisible()
    // The button that was pressed is gone; the keyboard is still in the dialog.
    expect(await dialog.evaluate((whole) => whole.contains(document.activeElement))).toBe(true)
    await looks.at(page, 'modpack, install a file')
    const install = dialog.getByRole('button', { name: 'Install', exact: true })
    for (let tabs = 0; tabs < 12 && !(await install.evaluate((it) => it === document.activeElement)); tabs++)
      await page.keyboard.press('Tab')
    await expect(install).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Modpack' })).toContainText('Cozy Cottage 1.0', SLOWLY)
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expect(row(/Lithium 1\.0/)).toBeVisible(SLOWLY)

    const jar = await pluginJar({ name: 'Torches', version: '4.2', form: 'fabric' })
    await give('Add from file…', { name: 'torches-4.2.jar', buffer: jar })
    await expect(row(/Torches 4\.2/)).toBeVisible(SLOWLY)
    await looks.at(page, 'mods, with a modpack and a file')
    looks.expectNothing()
  } finally {
    await server.stop()
  }
})
