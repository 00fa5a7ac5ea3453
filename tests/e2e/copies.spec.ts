import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { plainFront } from '../doubles/services/plain-front.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import { movedServer, paperJar, VERSION } from '../fixtures/moved-server.ts'
import { ownCatalogs } from './fixtures/catalogs.ts'
import { signedIn } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { write } from './fixtures/trees.ts'
import { openSection, power, serverLink, signIn, status } from './fixtures/views.ts'

/** A Java server may take its time on a busy machine, in milliseconds. */
const SLOWLY = { timeout: 40_000 }

test('a server of a service without backups is copied to this computer, twice, and goes on there', async ({
  openPanel,
  startService,
  place,
}) => {
  const looks = new Looks()
  const { catalogs, options } = await ownCatalogs(place)
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar: await paperJar() }] }])
  const service = await startService()
  const read: string[] = []
  const front = await plainFront(
    service.baseUrl,
    ({ path: asked }) => asked.startsWith('/servers/backups'),
    ({ path: asked, file }) => {
      if (asked.startsWith('/servers/files/content/')) read.push(file ?? '')
    },
  )
  place.atEnd(() => front.close())
  const account = await service.account('Ann')
  const folder = service.folder(await service.server(account.token, 'Meadow'))
  const files = Object.entries(await movedServer({ port: ownPort() })).map(
    ([name, content]) => [name.replace('old-server/', ''), content] as const,
  )
  await write(folder, Object.fromEntries(files))
  const { page } = await openPanel(options)
  await signIn(page, front.baseUrl, account)
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Backups')
  const copies = page.getByRole('region', { name: 'On this computer too' })
  await copies.getByRole('button', { name: 'Copy now' }).click()
  const made = copies.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Start here' }) })
  await expect(made).toHaveCount(1)
  expect(read).toEqual(expect.arrayContaining(files.map(([name]) => name)))

  read.length = 0
  await write(folder, { 'overworld/region/r.0.0.mca': 'built by two hands' })
  await copies.getByRole('button', { name: 'Copy now' }).click()
  await expect(made).toHaveCount(2)
  expect(read).toEqual(['overworld/region/r.0.0.mca'])
  await copies.getByRole('checkbox', { name: /Copy to this computer every night/ }).check()
  await looks.at(page, 'copies of a server, no backups', copies)

  await made.first().getByRole('button', { name: 'Start here' }).click()
  await expect(page.getByRole('heading', { name: 'What was found' })).toBeVisible(SLOWLY)
  await expect(page.getByRole('definition').nth(0)).toHaveText(`Paper ${VERSION}`)
  await page.getByLabel('Name').fill('Meadow at home')
  await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
  await page.getByRole('button', { name: 'Move the server in' }).click()
  await expect(serverLink(page, 'Meadow at home')).toBeVisible(SLOWLY)
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  const servers = path.join(place.at('panel'), 'service', 'servers')
  const [id = ''] = readdirSync(servers)
  expect(await readFile(path.join(servers, id, 'overworld/region/r.0.0.mca'), 'utf8')).toBe(
    'built by two hands',
  )
  looks.expectNothing()
})

test('above the backups of a service stands whether they are on this computer too', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Meadow')
  await write(folders[0] ?? '', { 'world/level.dat': 'level', 'server.properties': 'motd=Hello\n' })
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Backups')
  await expect(page.getByText('Not copied to this computer.')).toBeVisible()
  await looks.at(page, 'backups, not copied here')
  await page.getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'On this computer too' })
  await dialog.getByRole('checkbox', { name: /Copy to this computer every night/ }).check()
  await dialog.getByLabel('When').selectOption('4')
  await dialog.getByRole('button', { name: 'Copy now' }).click()
  await expect(dialog.getByRole('button', { name: 'Start here' })).toBeVisible()
  await looks.atDialog(page, 'copies of a server')
  await page.getByRole('button', { name: 'Show copies' }).click()
  await dialog.getByRole('button', { name: /^Delete the copy/ }).click()
  const asked = page.getByRole('dialog', { name: /^Delete the copy of/ })
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('No copies yet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText(/^Copied to this computer every night at (04:00|4:00)/)).toBeVisible()
  looks.expectNothing()
})
