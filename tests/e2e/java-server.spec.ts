import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, power, row, status } from './fixtures/views.ts'

const VERSION = '1.20.4'
/** A Java server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

test('a newcomer creates a Paper server: it is fetched, canceled, fetched again, and runs', async ({
  openPanel,
  place,
}) => {
  const catalogs = await CatalogServer.start()
  try {
    const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
    offerFill(catalogs, 'paper', [
      { id: '1.21-pre1', java: 17, builds: [{ id: 2, channel: 'ALPHA' }] },
      { id: VERSION, java: 17, builds: [{ id: 499, jar }] },
    ])
    const data = place.at('panel')
    await mkdir(path.join(data, 'service'), { recursive: true, mode: 0o700 })
    await writeFile(path.join(data, 'service', 'catalogs.json'), JSON.stringify(catalogs.settings))
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()

    await page.getByRole('button', { name: 'This computer' }).click()
    await expect(page.getByRole('radio', { name: 'Paper' })).toBeChecked()
    await expect(page.getByLabel('Version', { exact: true })).toHaveValue(VERSION)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Accept the license to create the server.')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /Minecraft EULA/ })).toBeFocused()
    await looks.at(page, 'create, license')

    const end = catalogs.fail('/paper/v1/objects', { kind: 'stalls' })
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(status(page)).toHaveText('Installing')
    await expect(page.getByRole('banner').or(page.locator('header'))).toContainText(/\d+\s?%/)
    await looks.at(page, 'installing')
    await power(page, 'Cancel').click()
    await expect(status(page)).toHaveText('Offline')
    end()
    // Nobody has to be told what they wanted.
    await expect(page.getByRole('region', { name: 'The installation failed' })).toBeHidden()

    await openConsole(page)
    await expect(row(page, 'The installation was canceled.')).toBeVisible()
    await power(page, 'Start').click()
    await expect(status(page)).toHaveText('Online', SLOWLY)
    await expect(row(page, `Paper ${VERSION} is installed.`)).toBeVisible()
    await page.getByRole('tab', { name: 'Overview' }).click()
    // Whoever has not played there yet is offered it twice.
    await page.getByRole('button', { name: 'How to connect' }).first().click()
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('Works.')
    await looks.atDialog(page, 'how to connect')
    await power(page, 'Stop').click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)
    looks.expectNothing()
  } finally {
    await catalogs.stop()
  }
})
