import { readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { offerFabric, offerFill, offerVanilla } from '../doubles/catalogs/catalog-answers.ts'
import type { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { pluginJar } from '../fixtures/extension-jar.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Place } from './fixtures/place.ts'
import { openSection, power, serverLink, status } from './fixtures/views.ts'

const [OLD, NEW] = ['1.20.4', '1.20.6']
/** Of Paper, which no other software loads. */
const PLUGINS = [
  'Alps',
  'Beacons',
  'Chests',
  'Doors',
  'Elevators',
  'Farms',
  'Gardens',
  'AnExtensionWithAVeryLongName',
]
/** A Java server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

const runs = (page: Page) => page.getByRole('region', { name: 'Software', exact: true })
const buildOf = (page: Page) => page.getByRole('combobox', { name: 'Build' })

async function offerSoftware(catalogs: CatalogServer): Promise<void> {
  const jar = async (version: string) => readFile(await javaServerJar({ kind: 'paper', version, build: '1' }))
  offerFill(catalogs, 'paper', [
    { id: NEW, java: 17, builds: [{ id: 7, jar: await jar(NEW) }] },
    {
      ...{ id: OLD, java: 17 },
      builds: [
        { id: 3, jar: await jar(OLD), commits: ['Mend beds', 'Mend hoppers\n\nThey lost things.'] },
        { id: 2, jar: await jar(OLD), commits: ['Mend doors'] },
        { id: 1, jar: await jar(OLD), commits: ['Long known'] },
      ],
    },
  ])
  offerVanilla(catalogs, [{ id: OLD, java: 99 }])
  offerFabric(catalogs, {
    games: [{ version: OLD, stable: true }],
    loaders: [{ version: '0.16.9', stable: true }],
  })
}

/** Looks at the changes from build 1 to others, and installs build 2 of the same version. */
async function changeBuild(page: Page, looks: Looks): Promise<void> {
  await openSection(page, 'Software')
  const facts = runs(page)
  await page.getByRole('button', { name: 'Change…' }).click()
  const build = buildOf(page)
  await expect(facts).toContainText('Build 1 (chosen)')
  await expect(page.getByText('Build 1 is already installed.')).toBeVisible()
  await build.selectOption('Newest stable (3)')
  await expect(page.getByRole('heading', { name: 'Changes from build 1 to 3' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Mend' })).toHaveText([
    ...['Mend beds', 'Mend hoppers', 'Mend doors'],
  ])
  await looks.at(page, 'software, changes between builds')
  const renew = page.getByRole('button', { name: 'Install the newest build' })
  await renew.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Stop the server first.')
  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await build.selectOption('2')
  await expect(page.getByRole('heading', { name: 'Changes from build 1 to 2' })).toBeVisible()
  await expect(page.getByText('Mend beds')).toBeHidden()
  await page.getByRole('button', { name: 'Install build 2' }).click()
  await expect(facts).toContainText('Build 2 (chosen)', SLOWLY)
}

/** Creates a server with build 1 of the older version. */
async function createWithBuild(page: Page, looks: Looks): Promise<void> {
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByLabel('Version', { exact: true }).selectOption(OLD)
  await page.getByText('More options').click()
  const build = buildOf(page)
  await expect(build).toHaveValue('')
  await build.selectOption('1')
  await looks.at(page, 'create, a build')
  await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
}

/** Puts plugins into the only server's folder. */
async function addPlugins(place: Place): Promise<void> {
  const servers = path.join(place.at('panel'), 'service', 'servers')
  const plugins = path.join(servers, readdirSync(servers)[0] ?? '', 'plugins')
  await mkdir(plugins, { recursive: true })
  for (const name of PLUGINS)
    await writeFile(path.join(plugins, `${name}.jar`), await pluginJar({ name, version: '4.12.1-SNAPSHOT' }))
}

test('an owner chooses a build, looks at the changes up to another, moves to a newer version, goes back in one step, resets it, and duplicates it', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  await offerSoftware(catalogs)
  const { page } = await openPanel(options)
  const looks = new Looks()

  await createWithBuild(page, looks)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await changeBuild(page, looks)
  const facts = runs(page)

  await addPlugins(place)
  // What was changed needs no form any more.
  await expect(page.getByRole('region', { name: 'Change software or version' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('combobox', { name: 'Software' }).selectOption('Fabric')
  await expect(
    page.getByText('Java 99 isn’t on the service’s computer. It will be downloaded.'),
  ).toBeVisible()
  await looks.at(page, 'software, plan')
  // A long list is opened by who wants to read it, and then holds all of it.
  const unfit = page.getByRole('group').filter({ hasText: PLUGINS[0] })
  await unfit.locator('summary').focus()
  await page.keyboard.press('Enter')
  for (const name of PLUGINS) await expect(unfit.getByText(name, { exact: true })).toBeVisible()
  await looks.at(page, 'software, plugins that stop', unfit)
  await page.getByRole('combobox', { name: 'Software' }).selectOption('Paper')
  await page.getByRole('combobox', { name: 'Version' }).selectOption(NEW)
  await expect(page.getByText(/A backup.* is made first/)).toBeVisible()
  await page.getByRole('button', { name: `Change to Paper ${NEW}` }).click()
  await expect(facts.getByText(`Paper ${NEW}`, { exact: true })).toBeVisible(SLOWLY)
  const back = page.getByRole('button', { name: `Go back to Paper ${OLD}` })
  await expect(back).toBeVisible(SLOWLY)
  await looks.at(page, 'software, way back')

  await back.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Go back to Paper ${OLD}` })
    .click()
  await expect(facts.getByText(`Paper ${OLD}`, { exact: true })).toBeVisible()
  await expect(facts).toContainText('Build 2 (chosen)')
  await expect(page.getByRole('button', { name: `Go back to Paper ${NEW}` })).toBeVisible()

  await page.getByRole('button', { name: 'Reset server' }).click()
  await looks.at(page, 'reset')
  await page.getByRole('button', { name: 'Reset the server' }).click()
  await expect(page.getByRole('button', { name: 'Go back to before the reset' })).toBeVisible(SLOWLY)

  await openSection(page, 'Danger zone')
  const duplicate = page.getByRole('button', { name: 'Duplicate' })
  await looks.at(page, 'settings, the end', duplicate)
  await duplicate.click()
  await looks.at(page, 'duplicate')
  await page.getByRole('dialog').getByRole('textbox').fill('Its twin')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Its twin' })).toBeVisible(SLOWLY)
  await expect(serverLink(page, 'My server')).toBeVisible()
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  looks.expectNothing()
})
