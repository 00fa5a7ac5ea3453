import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import { movedServer, paperJar, VERSION } from '../fixtures/moved-server.ts'
import { NO_SFTP, startSftp } from '../fixtures/sftp-server.ts'
import { ownCatalogs } from './fixtures/catalogs.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Place } from './fixtures/place.ts'
import { write } from './fixtures/trees.ts'
import { openSection, power, serverLink, signInAtHost, status } from './fixtures/views.ts'

/** A busy machine may take its time, in milliseconds. */
const SLOWLY = { timeout: 60_000 }

/** Signs in at a host whose server has settings alone. */
async function signInAtSftp(page: Page, place: Place): Promise<{ there: string; port: number }> {
  const sftp = await startSftp(place.at('.'))
  place.atEnd(() => sftp.close())
  const privateKey = place.at('own-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', privateKey])
  await sftp.accept(readFileSync(`${privateKey}.pub`, 'utf8'))
  const there = place.at('server')
  mkdirSync(there)
  const port = ownPort()
  writeFileSync(path.join(there, 'server.properties'), `motd=Other\nserver-port=${port}\n`)
  await page.getByRole('link', { name: 'All servers' }).click()
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await signInAtHost(page, {
    address: `sftp://root@127.0.0.1:${sftp.port}${there}`,
    field: 'Password or private key',
    secret: readFileSync(privateKey, 'utf8'),
  })
  await expect(serverLink(page, 'Other')).toBeVisible()
  return { there, port }
}

test('a server moves from a Pterodactyl panel to this computer, and from here to a host of SFTP', async ({
  openPanel,
  place,
}) => {
  test.skip(NO_SFTP !== null, NO_SFTP ?? '')
  const looks = new Looks()
  const { catalogs, options } = await ownCatalogs(place)
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar: await paperJar() }] }])
  const host = await PterodactylPanel.open()
  place.atEnd(() => host.close())
  const world = place.at('world')
  mkdirSync(world)
  const files = Object.entries(await movedServer({ port: ownPort() })).map(
    ([name, content]) => [name.replace('old-server/', ''), content] as const,
  )
  await write(world, Object.fromEntries(files))
  const server = host.add(world, { name: 'Meadow' })

  const { page } = await openPanel(options)
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  await signInAtHost(page, { address: host.address, secret: KEY })
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Move')
  await looks.at(page, 'moving a server')
  await page.getByRole('button', { name: 'Start here…' }).click()
  const starting = page.getByRole('dialog', { name: 'Start Meadow on this computer' })
  await expect(starting.getByText('What differs there')).toBeVisible()
  await looks.at(page, 'starting a server here')
  await starting.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Move…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Meadow' })
  await dialog.getByRole('radio', { name: 'This computer' }).check()
  await looks.at(page, 'where a server moves')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByText('“Meadow” is running and has to be stopped first.')).toBeVisible()
  await looks.at(page, 'what differs where a server moves')
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => server.state).toBe('offline')
  await dialog.getByRole('button', { name: 'Copy it there' }).click()
  await expect(page.getByRole('heading', { name: 'What was found' })).toBeVisible(SLOWLY)
  await page.getByLabel('Name').fill('My server')
  await page.getByRole('checkbox', { name: /Minecraft EULA/ }).check()
  await page.getByRole('button', { name: 'Move the server in' }).click()
  await expect(status(page)).toHaveText('Offline', SLOWLY)
  await power(page, 'Start').click()
  await expect(status(page)).toHaveText('Online', SLOWLY)

  const { there, port } = await signInAtSftp(page, place)

  await serverLink(page, 'My server').click()
  await openSection(page, 'Move')
  await page.getByRole('button', { name: 'Move…' }).click()
  const away = page.getByRole('dialog', { name: 'Move My server' })
  await away.getByRole('radio', { name: /^Other/ }).check()
  await away.getByRole('button', { name: 'Next' }).click()
  await away.getByRole('button', { name: 'Stop' }).click()
  await looks.at(page, 'moving a server into the folder of another')
  const go = away.getByRole('button', { name: 'Move', exact: true })
  await expect(go).toBeEnabled(SLOWLY)
  await go.click()
  await expect(page.getByText(/^Moved, and every file compared/)).toBeVisible(SLOWLY)
  await looks.at(page, 'a server that was moved')
  expect(readdirSync(there)).toEqual(expect.arrayContaining(['eula.txt', 'overworld', 'server.properties']))
  expect(readFileSync(path.join(there, 'server.properties'), 'utf8')).toContain(`server-port=${port}\n`)
  await expect(serverLink(page, 'My server')).toBeVisible()
  expect(readdirSync(world)).toContain('overworld')
  looks.expectNothing()
})
