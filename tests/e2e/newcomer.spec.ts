import { readFile } from 'node:fs/promises'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import type { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../fixtures/extension-jar.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { createJavaServer, ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { join } from './fixtures/player.ts'
import { openConsole, power, sendCommand, status, tab } from './fixtures/views.ts'

const VERSION = '1.20.4'
/** What is downloaded or started may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }
/** With what the newest Shop ends its server, as Paper writes it. */
const BROKEN = [
  '[05:52:42 ERROR]: Encountered an unexpected exception',
  "java.lang.NoSuchMethodError: 'void example.vault.Economy.pay()'",
  '\tat example.Shop.onEnable(Shop.java:12) ~[Shop-2.1.jar:?]',
  '',
].join('\n')

/** Paper and three plugins, of which one needs another, and two have a newer version. The newer Shop does not work. */
async function offerPlugins(server: CatalogServer): Promise<void> {
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(server, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  const catalogs = new ExtensionCatalogs(server)
  const offer = async (name: string, versions: Record<string, object>, needs: { on: string }[] = []) =>
    catalogs.offer({
      ...{ catalog: 'modrinth', name, games: [VERSION] },
      versions: await Promise.all(
        Object.entries(versions).map(async ([version, files]) => ({
          ...{ name: version, needs },
          jar: await pluginJar({ name, version, files: files as Record<string, string> }),
        })),
      ),
    })
  const vault = await offer('Vault', { '1.0': {} })
  await offer('Greeter', { '3.0': {}, '3.1': {} })
  await offer('Shop', { '2.0': {}, '2.1': { 'crash-at-start.txt': BROKEN } }, [{ on: vault.id }])
}

test('my friend joined: at most three clicks and a name lead from an empty folder to a player on the server', async ({
  openPanel,
  place,
}) => {
  const { page } = await openPanel()
  let clicks = 0
  const click = async (name: string | RegExp) => {
    clicks += 1
    await page.getByRole('button', { name }).click()
  }
  await expect(page.getByRole('heading', { name: 'Wheelhouse', level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)

  await click('This computer')
  await page.getByLabel('Name').fill('Meadow')
  await click('Create and start')
  await expect(status(page)).toHaveText('Online', SLOWLY)
  const copies = page.getByRole('button', { name: /^Copy the address/ })
  const address = (await copies.getAttribute('aria-label'))?.replace('Copy the address ', '') ?? ''
  const friend = await join(place, address, 'Robin')
  await expect(page.getByRole('main').getByText('Robin').first()).toBeVisible()
  expect(clicks).toBeLessThanOrEqual(3)
  friend.leave()
})

test('a newcomer has a Paper server with three plugins; a player joins, an update breaks it, and the plugin that did is taken back alone', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  await offerPlugins(catalogs)
  const { page } = await openPanel(options)
  const looks = new Looks()
  const dialog = page.getByRole('dialog')
  const row = (name: RegExp) => page.getByRole('row', { name })
  const find = async (name: string, version: string) => {
    await page.getByRole('searchbox', { name: 'Find in catalogs' }).fill(name)
    await page
      .getByRole('list', { name: 'Results' })
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .click()
    await dialog.getByLabel('Version').selectOption(version)
    await dialog.getByRole('button', { name: 'Install…' }).click()
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
    await expect(results.filter({ hasText: name })).toContainText('Installed', SLOWLY)
    await page.getByRole('tab', { name: /^Installed/ }).click()
    await expect(row(new RegExp(`${name} ${version}`))).toBeVisible(SLOWLY)
  }

  await createJavaServer(page)
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await tab(page, 'Plugins').click()
  await page.getByRole('button', { name: 'Find in catalogs' }).click()
  await find('Shop', '2.0')
  await expect(row(/Vault 1\.0/)).toBeVisible()
  await tab(page, 'Add').click()
  await find('Greeter', '3.0')

  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await openConsole(page)
  // A stand-in for a player who joins: the program in place of Paper lets in whoever is named there.
  await sendCommand(page, 'join Alex')
  await tab(page, 'Players').click()
  await expect(row(/^Alex /)).toContainText('Online')

  await tab(page, 'Plugins').click()
  await page.getByRole('button', { name: 'Update all 2…' }).click(SLOWLY)
  await expect(dialog).toContainText('2.0 → 2.1')
  await dialog.getByRole('button', { name: /^Update/ }).click()
  await page
    .getByRole('status', { name: 'At next start' })
    .getByRole('button', { name: 'Restart' })
    .click(SLOWLY)
  await dialog.getByRole('button', { name: 'Restart now' }).click()
  await expect(status(page)).toHaveText('Crashed', SLOWLY)
  const asked = page.getByRole('alert').filter({ hasText: 'crashed at its first start' })
  await expect(asked).toContainText('Shop 2.0 → 2.1')
  await expect(asked).toContainText('Greeter 3.0 → 3.1')
  await looks.at(page, 'plugins, crash after an update')

  await tab(page, 'Overview').click()
  const crash = page.getByRole('region', { name: 'Crash' })
  await expect(crash).toContainText('Shop 2.1')
  await crash.getByRole('button', { name: 'Go back to 2.0 and start' }).click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await tab(page, 'Plugins').click()
  await expect(row(/Shop 2\.0/)).toBeVisible(SLOWLY)
  await expect(row(/Greeter 3\.1/)).toBeVisible()
  await power(page, 'Stop').click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  looks.expectNothing()
})
