import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, openSection, power, row, sendCommand, status, tab } from './fixtures/views.ts'

const VERSION = '3.4.0-SNAPSHOT'
/** What is downloaded or started may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

test('an owner has a proxy: it listens where it should, shows who is on, and nothing of a world is offered', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  const jar = await readFile(await javaServerJar({ kind: 'velocity', version: VERSION }))
  offerFill(catalogs, 'velocity', [{ id: VERSION, java: 17, builds: [{ id: 500, jar }] }])
  const { page } = await openPanel(options)
  const looks = new Looks()

  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByRole('radio', { name: 'Velocity' }).check()
  await expect(page.getByLabel('Version', { exact: true })).toHaveValue(VERSION)
  await expect(page.getByRole('checkbox', { name: /EULA/ })).toBeHidden()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  const servers = path.join(place.at('panel'), 'service', 'servers')
  const [id = ''] = await readdir(servers)
  const file = path.join(servers, id, 'velocity.toml')
  const before = await readFile(file, 'utf8')
  // Who joins comes by it, so it is open to the network.
  expect(before).toMatch(/^bind = "0\.0\.0\.0:\d+"$/m)

  await openSection(page, 'Proxy')
  const behind = page.getByRole('region', { name: 'Servers behind this proxy' })
  await behind.getByLabel('Name', { exact: true }).fill('lobby')
  await behind.getByLabel('Address', { exact: true }).fill('127.0.0.1:25999')
  await behind.getByRole('button', { name: 'Add server' }).click()
  await behind.getByLabel('Mode', { exact: true }).selectOption('Modern')
  await looks.at(page, 'proxy, settings not saved', behind.getByLabel('Mode', { exact: true }))
  await page.getByRole('button', { name: 'Save' }).click()
  await behind.getByRole('button', { name: 'Reload settings' }).click()
  await expect(behind.getByRole('button', { name: 'Reload settings' })).toBeHidden()
  expect(await readFile(file, 'utf8')).toBe(
    before
      .replace('forwarding-mode = "NONE"', 'forwarding-mode = "modern"')
      .replace('try = []\n', 'try = ["lobby"]\nlobby = "127.0.0.1:25999"\n'),
  )
  await looks.at(page, 'proxy, settings')

  await openConsole(page)
  await sendCommand(page, 'join Alex')
  await expect(row(page, 'has connected')).toBeVisible()
  await tab(page, 'Players').click()
  await expect(page.getByRole('row', { name: /^Alex / })).toContainText('Online')
  await expect(page.getByRole('tab', { name: /Whitelist|Bans|Operators/ })).toHaveCount(0)
  await looks.at(page, 'proxy, players')
  await openSection(page, 'Software')
  await expect(page.getByRole('button', { name: 'Change…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset server' })).toHaveCount(0)
  await power(page, 'Stop').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop now' }).click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  looks.expectNothing()
})
