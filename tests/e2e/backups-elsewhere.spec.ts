import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { NO_RESTIC, restic } from '../../src/service/backups/restic/restic.fixture.ts'
import { NO_SFTP, type SftpServer, startSftp } from '../fixtures/sftp-server.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { write } from './fixtures/trees.ts'
import { connectionLink, openSection, serverLink, status } from './fixtures/views.ts'

test.skip(restic === null, NO_RESTIC)

const dialog = (page: Page): Locator => page.getByRole('dialog')
const inDialog = (page: Page, name: string | RegExp): Locator => dialog(page).getByRole('button', { name })

async function openPlaces(page: Page): Promise<void> {
  await connectionLink(page, 'This computer').click()
  await page.getByRole('link', { name: 'Backups elsewhere' }).click()
  await expect(page.getByText('No places yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add place…' }).click()
}

async function startedSftp(at: string): Promise<SftpServer & AsyncDisposable> {
  const sftp = await startSftp(at)
  return { ...sftp, [Symbol.asyncDispose]: () => sftp.close() }
}

/** The folder of the only server. */
async function serverFolder(data: string): Promise<string> {
  const servers = path.join(data, 'service', 'servers')
  const [id = ''] = await readdir(servers)
  return path.join(servers, id)
}

/** What the place's own key needs to be let in. */
async function letIn(page: Page, sftp: SftpServer): Promise<void> {
  await sftp.accept(await page.getByText(/^ssh-ed25519 /).innerText())
  await page.getByRole('button', { name: /^Check / }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'SFTP server' })).toContainText('Reached')
}

async function fillSftp(page: Page, name: string, { port, user, folder }: SftpServer): Promise<void> {
  await dialog(page).getByLabel('Name', { exact: true }).fill(name)
  await dialog(page).getByRole('radio', { name: 'SFTP server' }).click()
  await dialog(page).getByLabel('Host').fill('127.0.0.1')
  await dialog(page).getByLabel('Port').fill(String(port))
  await dialog(page).getByLabel('User').fill(user)
  await dialog(page).getByLabel('Folder', { exact: true }).fill(folder)
}

test('a world that was copied to another host comes back on another computer by its password alone', async ({
  openPanel,
  place,
}) => {
  test.skip(NO_SFTP !== null, NO_SFTP ?? '')
  await using sftp = await startedSftp(place.at('sftp'))
  const looks = new Looks()
  await write(sftp.folder, { 'holiday.txt': 'pictures' })
  const first = await openPanel({ data: 'first' })
  const { page } = first
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline')
  await write(await serverFolder(first.data), { 'world/castle.dat': 'a castle' })

  await openPlaces(page)
  await fillSftp(page, 'Second home', sftp)
  await looks.at(page, 'adding a place, SFTP')
  await inDialog(page, 'Add').click()
  const shown = dialog(page).getByRole('group', { name: 'Password of the backups' })
  const password = (await shown.innerText()).trim()
  expect(password.length).toBeGreaterThan(15)
  await looks.at(page, 'the password of a place')
  await inDialog(page, 'I have saved it').click()
  await looks.at(page, 'a place that has to let its key in')
  await letIn(page, sftp)
  await looks.at(page, 'places for backups')

  await serverLink(page, 'My server').click()
  await openSection(page, 'Backups')
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog(page).getByRole('checkbox', { name: 'Second home' }).check()
  await looks.at(page, 'what is kept, with places')
  await inDialog(page, 'Save').click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Back up now' }).first().click()
  await expect(page.getByRole('row', { name: /By hand · also at Second home/ })).toBeVisible()
  await looks.at(page, 'a backup that is elsewhere too')
  expect((await readdir(sftp.folder)).toSorted()).toEqual(['holiday.txt', 'wheelhouse-backups'])
  await first.close()

  const second = await openPanel({ data: 'second' })
  const other = second.page
  await other.getByRole('button', { name: 'This computer' }).click()
  await openPlaces(other)
  await fillSftp(other, 'The old home', sftp)
  await dialog(other).getByText('There are backups already').click()
  await dialog(other).getByLabel('Their password').fill(password)
  await inDialog(other, 'Add').click()
  await expect(dialog(other)).toHaveCount(0)
  await letIn(other, sftp)
  await other.getByRole('button', { name: 'Look inside The old home' }).click()
  await expect(dialog(other).getByRole('region', { name: 'My server' })).toContainText('not on this computer')
  await looks.at(other, 'inside a place')
  await inDialog(other, /^Make a server of it… \(My server/).click()
  await dialog(other).getByLabel('Name of the new server').fill('Meadow')
  await inDialog(other, 'Make server').click()
  await expect(status(other)).toHaveText('Offline')
  await expect(serverLink(other, 'Meadow')).toBeVisible()
  const restored = path.join(await serverFolder(second.data), 'world', 'castle.dat')
  expect(await readFile(restored, 'utf8')).toBe('a castle')
  looks.expectNothing()
})
