import type { Locator } from '@playwright/test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../fixtures/extension-jar.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { status, tab } from './fixtures/views.ts'
import { createJavaServer, ownCatalogs } from './fixtures/catalogs.ts'

const VERSION = '1.20.4'
/** What is downloaded may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

/** Paper, a plugin in two versions, and what it needs. */
async function offerPlugins(server: CatalogServer): Promise<void> {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(server, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  const catalogs = new ExtensionCatalogs(server)
  const games = [VERSION]
  const vault = await catalogs.offer({
    ...{ catalog: 'modrinth', name: 'Vault', games, versions: [{ name: '1.0' }] },
    description: '# Vault\n\nA **library** for [others](https://vault.example/).\n\n<b>bold</b>',
  })
  const versions = ['2.0', '2.1'].map(async (name) => ({
    ...{ name, needs: [{ on: vault.id }] },
    jar: await pluginJar({ name: 'Shop', version: name, depends: ['Vault'] }),
  }))
  await catalogs.offer({ catalog: 'modrinth', name: 'Shop', games, versions: await Promise.all(versions) })
}

test('plugins are found, installed with what they need, updated together, and all of it undone', async ({
  openPanel,
  place,
}) => {
  const server = await CatalogServer.start()
  try {
    await offerPlugins(server)
    const data = place.at('panel')
    await mkdir(path.join(data, 'service'), { recursive: true, mode: 0o700 })
    await writeFile(path.join(data, 'service', 'catalogs.json'), JSON.stringify(server.settings))
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()

    await page.getByRole('button', { name: 'This computer' }).click()
    await expect(page.getByLabel('Version', { exact: true })).toHaveValue(VERSION)
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)

    await tab(page, 'Plugins').click()
    await expect(page.getByText('No plugins yet')).toBeVisible()
    await looks.at(page, 'plugins, none')
    await page.getByRole('button', { name: 'Find in catalogs' }).click()
    const results = page.getByRole('list', { name: 'Results' })
    await expect(results.getByRole('button', { name: /Vault/ }).first()).toBeVisible()
    await looks.at(page, 'plugins, found')
    await page.getByRole('searchbox', { name: 'Find in catalogs' }).fill('Shop')
    await results.getByRole('button', { name: /Shop/ }).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('What it does, at length.')).toBeVisible()
    await looks.at(page, 'plugins, details')
    await dialog.getByLabel('Version').selectOption('2.0')
    await dialog.getByRole('button', { name: 'Install…' }).click()
    await expect(dialog.getByRole('listitem').filter({ hasText: 'needed by Shop' })).toContainText('Vault')
    await looks.at(page, 'plugins, plan')
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expect(results.getByRole('listitem').filter({ hasText: 'Shop' })).toContainText('Installed', SLOWLY)
    await page.getByRole('tab', { name: /^Installed/ }).click()
    await expect(row(/Shop 2\.0/)).toBeVisible(SLOWLY)
    await expect(row(/Vault 1\.0/)).toBeVisible()
    await looks.at(page, 'plugins, installed')

    await page.getByRole('button', { name: 'Update 1…' }).click(SLOWLY)
    await expect(dialog).toContainText('2.0 → 2.1')
    await dialog.getByRole('button', { name: 'Versions and changes of Shop' }).click()
    await expect(dialog.getByLabel('Version to install')).toBeVisible()
    await looks.at(page, 'plugins, update all')
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(row(/Shop 2\.1/)).toBeVisible(SLOWLY)
    await expect(page.getByText(/2\.0 → 2\.1 · /)).toBeVisible()
    await looks.at(page, 'plugins, updated')

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(/Shop 2\.0/)).toBeVisible(SLOWLY)

    await row(/Vault/).click()
    await page.keyboard.press('Enter')
    await looks.atDialog(page, 'plugins, sheet')
    await looks.at(page, 'plugins, selected')
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove…' }).click()
    await looks.at(page, 'plugins, remove')
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(row(/Vault is missing/)).toBeVisible()
    await looks.at(page, 'plugins, something is missing')
    await row(/Shop/).dblclick()
    await expect(dialog).toContainText('Find it in the catalogs, or add its jar file.')
    await looks.atDialog(page, 'plugins, sheet with a problem')
    looks.expectNothing()
  } finally {
    await server.stop()
  }
})

test('plugins are found, installed, disabled, updated, brought back and removed by keyboard alone', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  await offerPlugins(catalogs)
  const { page } = await openPanel(options)
  await createJavaServer(page)
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  const { keyboard } = page
  const dialog = page.getByRole('dialog')
  const row = (name: RegExp) => page.getByRole('row', { name })
  /** Goes on with Tab, or among tabs with the arrow, until something has the focus. */
  const goTo = async (target: Locator, key: 'Tab' | 'ArrowRight' = 'Tab') => {
    await expect(target).toBeVisible(SLOWLY)
    const isThere = () => target.evaluate((it) => it === document.activeElement)
    for (let tabs = 0; tabs < 80 && !(await isThere()); tabs++) await keyboard.press(key)
    await expect(target).toBeFocused()
  }
  const press = async (target: Locator) => {
    await goTo(target)
    await keyboard.press('Enter')
  }
  /** In the list, where the rows are in the order of their names. */
  const chooseFirst = async () => {
    await goTo(page.getByRole('grid', { name: 'Plugins' }))
    await keyboard.press('Escape')
    await keyboard.press('Home')
    await expect(row(/Shop/)).toHaveAttribute('aria-selected', 'true')
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string | RegExp) => dialog.getByRole('button', { name, exact: true })

  await tab(page, 'Overview').focus()
  await goTo(tab(page, 'Plugins'), 'ArrowRight')
  await keyboard.press('Enter')
  await press(button('Find in catalogs'))
  await goTo(page.getByRole('searchbox', { name: 'Find in catalogs' }))
  await keyboard.type('Shop')
  await press(page.getByRole('list', { name: 'Results' }).getByRole('button', { name: /Shop/ }).first())
  // Below the newest that fits, which is not named, and the newest.
  await goTo(dialog.getByLabel('Version'))
  for (const key of ['ArrowDown', 'ArrowDown']) await keyboard.press(key)
  await expect(dialog.getByLabel('Version').locator('option:checked')).toHaveText('2.0')
  await press(inDialog('Install…'))
  await press(inDialog('Install'))

  // The results stay; what is installed is in the tab before.
  await goTo(page.getByRole('tab', { name: 'Add' }))
  await keyboard.press('ArrowLeft')
  await keyboard.press('Enter')
  await expect(row(/Shop 2\.0/)).toBeVisible(SLOWLY)
  await chooseFirst()
  await press(button('Disable'))
  await expect(row(/Shop 2\.0.*Disabled/)).toBeVisible()
  await press(button('Enable'))
  await expect(row(/Shop 2\.0.*Disabled/)).toBeHidden()

  await press(button('Update 1…'))
  await press(inDialog('Update'))
  await expect(row(/Shop 2\.1/)).toBeVisible(SLOWLY)
  await press(button('Undo'))
  await expect(row(/Shop 2\.0/)).toBeVisible(SLOWLY)

  await chooseFirst()
  await press(button('Remove…'))
  await press(inDialog('Remove'))
  await expect(row(/Shop/)).toBeHidden()
  await expect(row(/Vault/)).toBeVisible()
})

test('a newer jar from the computer takes the place of the older plugin, and one click brings that back', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  await offerPlugins(catalogs)
  const { page } = await openPanel(options)
  const looks = new Looks()
  await createJavaServer(page)
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await tab(page, 'Plugins').click()
  const row = (name: RegExp) => page.getByRole('row', { name })
  const add = async (name: string, bytes: Buffer) =>
    page
      .getByLabel('Add from file…')
      .last()
      .setInputFiles({ name, mimeType: 'application/java-archive', buffer: bytes })

  await add('shop-old.jar', await pluginJar({ name: 'Shop', version: '1.0' }))
  await expect(row(/Shop 1\.0/)).toBeVisible(SLOWLY)
  await add('Shop (3).jar', await pluginJar({ name: 'Shop', version: '3.0', form: 'paper' }))
  await expect(row(/Shop 3\.0/)).toBeVisible(SLOWLY)
  await expect(row(/Shop/)).toHaveCount(1)
  await expect(page.getByText(/Shop 1\.0 → 3\.0 · /)).toBeVisible()
  await looks.at(page, 'plugins, replaced by a file')

  // What cannot be read changes nothing, and what is for other software says so.
  await add('broken.jar', (await pluginJar({ name: 'Broken', version: '1' })).subarray(0, 300))
  await expect(page.getByText(/“broken\.jar” is damaged or incomplete/)).toBeVisible(SLOWLY)
  await looks.at(page, 'plugins, a damaged file')
  await add('lithium.jar', await pluginJar({ name: 'Lithium', version: '1', form: 'fabric' }))
  await expect(row(/Lithium.*Made for Fabric/)).toBeVisible(SLOWLY)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(/Lithium/)).toBeHidden(SLOWLY)
  await expect(row(/Shop 3\.0/)).toBeVisible()
  looks.expectNothing()
})
