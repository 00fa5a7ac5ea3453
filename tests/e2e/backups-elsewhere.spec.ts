import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { NO_RESTIC, restic } from '../../src/service/backups/restic/restic.fixture.ts'
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

/** The folder of the only server. */
async function serverFolder(data: string): Promise<string> {
  const servers = path.join(data, 'service', 'servers')
  const [id = ''] = await readdir(servers)
  return path.join(servers, id)
}

test('a world that was copied to another disk comes back on another computer by its password alone', async ({
  openPanel,
  place,
}) => {
  const looks = new Looks()
  const disk = place.at('disk')
  await write(disk, { 'holiday.txt': 'pictures' })
  const first = await openPanel({ data: 'first' })
  const { page } = first
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline')
  await write(await serverFolder(first.data), { 'world/castle.dat': 'a castle' })

  await openPlaces(page)
  await dialog(page).getByLabel('Name', { exact: true }).fill('Second disk')
  await dialog(page).getByRole('radio', { name: 'SFTP server' }).click()
  await looks.at(page, 'adding a place, SFTP')
  await dialog(page).getByRole('radio', { name: 'Folder or disk' }).click()
  await dialog(page).getByLabel('Folder', { exact: true }).fill(disk)
  await inDialog(page, 'Add').click()
  const shown = dialog(page).getByRole('group', { name: 'Password of the backups' })
  const password = (await shown.innerText()).trim()
  expect(password.length).toBeGreaterThan(15)
  await looks.at(page, 'the password of a place')
  await inDialog(page, 'I have saved it').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Second disk' })).toContainText('Reached')
  await looks.at(page, 'places for backups')

  await serverLink(page, 'My server').click()
  await openSection(page, 'Backups')
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog(page).getByRole('checkbox', { name: 'Second disk' }).check()
  await looks.at(page, 'what is kept, with places')
  await inDialog(page, 'Save').click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Back up now' }).first().click()
  await expect(page.getByRole('row', { name: /By hand · also at Second disk/ })).toBeVisible()
  await looks.at(page, 'a backup that is elsewhere too')
  expect(await readdir(disk)).toContain('holiday.txt')
  await first.close()

  const second = await openPanel({ data: 'second' })
  const other = second.page
  await other.getByRole('button', { name: 'This computer' }).click()
  await openPlaces(other)
  await dialog(other).getByLabel('Name', { exact: true }).fill('The old disk')
  await dialog(other).getByLabel('Folder', { exact: true }).fill(disk)
  await dialog(other).getByText('There are backups already').click()
  await dialog(other).getByLabel('Their password').fill(password)
  await inDialog(other, 'Add').click()
  await expect(dialog(other)).toHaveCount(0)
  await other.getByRole('button', { name: 'Look inside The old disk' }).click()
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
