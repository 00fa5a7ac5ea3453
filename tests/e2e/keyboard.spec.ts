import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { ExtensionCatalogs } from '../doubles/catalogs/extension-catalogs.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { section, serverLink, status, tab } from './fixtures/views.ts'

const VERSION = '1.20.4'
/** What is downloaded or started may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }
/** No view has so many places for the focus. */
const STEPS = 150

/** Presses Tab until something has the focus; fails where it never comes. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible(SLOWLY)
  for (let step = 0; step < STEPS; step++) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(wanted).toBeFocused()
}

const press = async (page: Page, wanted: Locator, key = 'Enter') => {
  await tabTo(page, wanted)
  await expect(wanted).toBeEnabled()
  await page.keyboard.press(key)
}

/** Writes something else into a field. */
const write = async (page: Page, field: Locator, text: string) => {
  await tabTo(page, field)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** From any tab of a server to another one. */
async function openTab(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole('tablist').first().getByRole('tab', { selected: true }))
  for (
    let step = 0;
    step < 8 && !(await tab(page, name).evaluate((one) => one === document.activeElement));
    step++
  )
    await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
}

/** Chooses from the menu of the row that has the focus. */
async function choose(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Shift+F10')
  const wanted = page.getByRole('menuitem', { name: item })
  await expect(wanted).toBeVisible()
  for (let step = 0; step < 20 && !(await wanted.evaluate((one) => one === document.activeElement)); step++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
}

/** Picks servers in the table of all, starts all of them at once, and stops them. */
async function startAndStop(page: Page, names: readonly string[]): Promise<void> {
  const dialog = page.getByRole('dialog')
  await press(page, page.getByRole('link', { name: 'All servers' }))
  for (const name of names)
    await press(page, page.getByRole('main').getByRole('checkbox', { name: `Select ${name}` }), 'Space')
  const bar = page.getByRole('group', { name: 'Selected servers' })
  await expect(bar).toContainText('2 selected')
  await press(page, bar.getByRole('button', { name: 'Start', exact: true }))
  for (const name of names)
    await expect(dialog.getByRole('listitem').filter({ hasText: name })).toContainText('Online', SLOWLY)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await press(page, bar.getByRole('button', { name: 'Stop', exact: true }))
  for (const name of names)
    await expect(dialog.getByRole('listitem').filter({ hasText: name })).toContainText('Offline', SLOWLY)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
}

test('by the keyboard alone a server is created, set up, put into a folder and given a plugin, and several are started', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  await new ExtensionCatalogs(catalogs).offer({
    ...{ catalog: 'modrinth', name: 'Greeter', games: [VERSION] },
    versions: [{ name: '3.1' }],
  })
  const { page } = await openPanel(options)
  const dialog = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await press(page, button('This computer'))
  for (const name of ['Meadow', 'Plain']) {
    if (name !== 'Meadow') await press(page, page.getByRole('link', { name: /^New server/ }))
    await write(page, page.getByLabel('Name', { exact: true }), name)
    await press(page, page.getByRole('checkbox', { name: /Minecraft EULA/ }), 'Space')
    await press(page, button('Create'))
    await expect(page.getByRole('heading', { name, level: 1 })).toBeFocused()
    await expect(status(page)).toHaveText('Offline', SLOWLY)
  }

  await openTab(page, 'Settings')
  await press(page, section(page, 'Game settings'))
  await write(page, page.getByRole('searchbox', { name: 'Search settings' }), 'max-players')
  await write(page, page.getByLabel('Player limit'), '12')
  const unsaved = page.getByRole('status').filter({ hasText: '1 unsaved change' })
  await press(page, button('Save'))
  await expect(unsaved).toHaveCount(0)
  await expect(section(page, 'Game settings')).toBeFocused()

  const row = serverLink(page, 'Plain')
  await tabTo(page, row)
  await choose(page, 'Move to folder…')
  await write(page, dialog.getByRole('textbox', { name: 'Name' }), 'Shop')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Shop \d/ })).toBeVisible()
  await expect(row).toBeFocused()

  await openTab(page, 'Plugins')
  await press(page, button('Find in catalogs'))
  await write(page, page.getByRole('searchbox', { name: 'Find in catalogs' }), 'Greeter')
  await press(page, button('Install Greeter'))
  const results = page.getByRole('list', { name: 'Results' })
  await expect(results.getByRole('listitem').filter({ hasText: 'Greeter' })).toContainText(
    'Installed',
    SLOWLY,
  )
  await press(page, page.getByRole('tab', { name: 'Add' }))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Greeter 3\.1/ })).toBeVisible(SLOWLY)
  await press(page, page.getByRole('main').getByRole('button', { name: 'Undo' }))
  await expect(page.getByRole('row', { name: /Greeter/ })).toHaveCount(0)

  await startAndStop(page, ['Plain', 'Meadow'])
})
