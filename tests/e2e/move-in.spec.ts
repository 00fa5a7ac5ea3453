import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { power, serverLink, status } from './fixtures/views.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import { movedServer, paperJar, VERSION, zipOf } from '../fixtures/moved-server.ts'

/** A Java server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

test('an owner moves an existing server in from a zip: it is recognized, created, started, and its world is there', async ({
  openPanel,
  place,
}) => {
  const catalogs = await CatalogServer.start()
  try {
    offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar: await paperJar() }] }])
    const data = place.at('panel')
    await mkdir(path.join(data, 'service'), { recursive: true, mode: 0o700 })
    await writeFile(path.join(data, 'service', 'catalogs.json'), JSON.stringify(catalogs.settings))
    const zip = place.at('old-server.zip')
    // Another run may be moving a server in at the same time.
    const port = ownPort()
    await writeFile(zip, await zipOf(await movedServer({ port })))
    const broken = place.at('holiday.zip')
    await writeFile(broken, await zipOf({ 'beach.jpg': 'x' }))
    const { page } = await openPanel({ env: { WHEELHOUSE_CATALOGS: 'on' } })
    const looks = new Looks()

    await page.getByRole('button', { name: 'This computer' }).click()
    await page.getByRole('radio', { name: 'New', exact: true }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('radio', { name: 'Existing server' })).toBeChecked()
    const archive = page.getByLabel('Choose an archive', { exact: true }).and(page.locator('input'))
    await expect(page.getByRole('button', { name: 'Choose an archive' })).toBeVisible()
    await looks.at(page, 'move in, choose')

    await archive.setInputFiles(broken)
    await expect(page.getByText('No Minecraft server was found in these files.')).toBeVisible(SLOWLY)
    await looks.at(page, 'move in, nothing found')
    await page.getByRole('button', { name: 'Choose something else' }).click()

    await archive.setInputFiles(zip)
    await expect(page.getByRole('heading', { name: 'What was found' })).toBeVisible(SLOWLY)
    const found = page.getByRole('definition')
    await expect(found.nth(0)).toHaveText(`Paper ${VERSION}`)
    await expect(page.getByText(`overworld (saved by ${VERSION})`)).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('old-server')
    await expect(page.getByLabel('Port')).toHaveValue(String(port))
    await expect(page.getByLabel('Software', { exact: true })).toHaveValue('paper')
    await expect(page.getByLabel('Version', { exact: true })).toHaveValue(VERSION)
    await page.getByRole('button', { name: 'Move the server in' }).click()
    await expect(page.getByText('Accept the license to create the server.')).toBeVisible()
    await looks.at(page, 'move in, found')
    // What was found is still there when one comes back.
    await page.getByRole('button', { name: 'Cancel' }).focus()
    await page.goBack()
    await page.goForward()
    await expect(page.getByRole('heading', { name: 'What was found' })).toBeVisible(SLOWLY)

    await page.getByLabel('Name').fill('Our old server')
    await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
    await page.getByRole('button', { name: 'Move the server in' }).click()
    await expect(serverLink(page, 'Our old server')).toBeVisible(SLOWLY)
    await expect(status(page)).toHaveText('Offline', SLOWLY)
    await power(page, 'Start').click()
    await expect(status(page)).toHaveText('Online', SLOWLY)

    const servers = path.join(data, 'service', 'servers')
    const [id = ''] = readdirSync(servers)
    const inServer = (name: string) => path.join(servers, id, name)
    expect(await readFile(inServer('overworld/region/r.0.0.mca'), 'utf8')).toBe('built by hand')
    expect(existsSync(inServer('ran'))).toBe(false)
    expect(readdirSync(path.join(data, 'service', 'imports'))).toEqual([])
    looks.expectNothing()
  } finally {
    await catalogs.stop()
  }
})

test('an owner moves a server in from the folder it lies in, by keyboard, and it starts with all of its files', async ({
  openPanel,
  place,
}) => {
  const { catalogs, options } = await ownCatalogs(place)
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar: await paperJar() }] }])
  const files = await movedServer({ port: ownPort() })
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(path.dirname(place.at(name)), { recursive: true })
    await writeFile(place.at(name), bytes)
  }
  const { page } = await openPanel(options)
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByRole('radio', { name: 'New', exact: true }).focus()
  await page.keyboard.press('ArrowLeft')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a folder' }).focus()
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(place.at('old-server'))

  await expect(page.getByRole('heading', { name: 'What was found' })).toBeVisible(SLOWLY)
  await expect(page.getByRole('definition').nth(0)).toHaveText(`Paper ${VERSION}`)
  await expect(page.getByLabel('Name')).toHaveValue('old-server')
  await page.getByRole('checkbox', { name: /Minecraft EULA/ }).focus()
  await page.keyboard.press('Space')
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await expect(serverLink(page, 'old-server')).toBeVisible(SLOWLY)
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)

  const servers = path.join(place.at('panel'), 'service', 'servers')
  const inServer = (name: string) => path.join(servers, readdirSync(servers)[0] ?? '', name)
  for (const name of ['overworld/region/r.0.0.mca', 'plugins/Homes/config.yml'])
    expect(await readFile(inServer(name), 'utf8')).toBe(files[`old-server/${name}`])
  expect(existsSync(inServer('ran'))).toBe(false)
})
