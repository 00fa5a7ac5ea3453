import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { openConsole, power, sendCommand, status } from './fixtures/views.ts'

const VERSION = '1.20.4'
/** A Java server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

test('a server that crashes says why, and each button mends it', async ({ openPanel, place }) => {
  const catalogs = await CatalogServer.start()
  try {
    const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
    offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
    const data = place.at('panel')
    await mkdir(path.join(data, 'service'), { recursive: true, mode: 0o700 })
    await writeFile(path.join(data, 'service', 'catalogs.json'), JSON.stringify(catalogs.settings))
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()
    const card = page.getByRole('region', { name: 'Crash' })
    const crash = async (name: string) => {
      await expect(status(page)).toHaveText('Online', SLOWLY)
      await openConsole(page)
      await sendCommand(page, `crash ${name}`)
      await expect(status(page)).toHaveText('Crashed', SLOWLY)
    }

    await page.getByRole('button', { name: 'This computer' }).click()
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)
    await power(page, 'Start').click()

    await crash('memory')
    await expect(card.getByRole('heading')).toHaveText('The server ran out of memory')
    await looks.at(page, 'crash above the console')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expect(card).toContainText('OutOfMemoryError')
    await looks.at(page, 'crash on the overview')
    await card.getByRole('button', { name: 'Copy log' }).click()
    await expect(card.getByRole('status')).toContainText(/The log (was|could not be) copied/)
    await card.getByRole('button', { name: 'Save log' }).click()
    await expect(card.getByRole('status')).toContainText('crash-')
    await card.getByRole('button', { name: 'Raise to 3 GB and start' }).click()

    await crash('port-vanilla')
    await expect(card.getByRole('heading')).toHaveText('Port 25566 is already in use')
    await looks.at(page, 'crash by a port')
    await card.getByRole('button', { name: 'Use another port and start' }).click()
    await expect(page.getByText(/The server now uses port \d+\./)).toBeVisible()

    await crash('client-fabric')
    await expect(card.getByRole('heading')).toHaveText('bright-hud does not run on a server')
    await looks.at(page, 'crash by a mod')
    await card.getByRole('button', { name: 'Start again' }).click()
    await expect(status(page)).toHaveText('Online', SLOWLY)
    await expect(card).toBeHidden()
    await power(page, 'Stop').click()
    await expect(status(page)).toHaveText('Offline', SLOWLY)
    looks.expectNothing()
  } finally {
    await catalogs.stop()
  }
})
