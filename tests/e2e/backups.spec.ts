import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { signedIn } from './fixtures/files-view.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { treeOf, write } from './fixtures/trees.ts'
import { openSection, serverLink } from './fixtures/views.ts'

const STEVE = '8667ba71-b85a-4004-af54-457a9734eed7'

const dialog = (page: Page): Locator => page.getByRole('dialog')
const row = (page: Page, name: string | RegExp): Locator => page.getByRole('row', { name })

/** Chooses from the menu of a row. */
async function choose(page: Page, of: Locator, item: string): Promise<void> {
  await of.click({ button: 'right' })
  await page.getByRole('menuitem', { name: item }).click()
}

test('a griefed world comes back: one folder, one player, all of it, and as a server beside it', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  const { folders } = await signedIn(page, service, 'Meadow')
  const [folder = ''] = folders
  const at = (name: string) => readFile(path.join(folder, name), 'utf8').catch(() => null)
  await write(folder, {
    'world/region/r.0.0.mca': 'a castle',
    'world/level.dat': 'level',
    'motd.txt': 'The way it was\n',
    'whitelist.json': JSON.stringify([{ uuid: STEVE, name: 'Steve' }]),
    [`world/playerdata/${STEVE}.dat`]: 'rich',
  })
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Backups')
  await expect(page.getByRole('heading', { name: 'No backups yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Back up now' }).first().click()
  const made = row(page, /By hand/)
  await expect(made.getByText(/new\)/)).toBeVisible()
  const before = await treeOf(folder)
  await write(folder, { 'world/region/r.0.0.mca': 'lava', 'world/level.dat': 'newer', 'motd.txt': 'griefed' })
  await write(folder, { [`world/playerdata/${STEVE}.dat`]: 'robbed' })

  await made.dblclick()
  await row(page, 'motd.txt').dblclick()
  await expect(dialog(page).getByText('The way it was')).toBeVisible()
  await looks.atDialog(page, 'a file in a backup')
  await row(page, 'world').dblclick()
  await choose(page, row(page, 'region'), 'Bring back…')
  await expect(dialog(page).getByText(/^“region” goes back to/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Bring back' }).click()
  await expect.poll(() => at('world/region/r.0.0.mca')).toBe('a castle')
  expect(await at('world/level.dat')).toBe('newer')
  await expect(page.getByText(/^“?region”? is back to/)).toBeVisible()

  await page.getByRole('link', { name: 'Back to all backups' }).click()
  await expect(row(page, /Before a backup was brought back/)).toBeVisible()
  await looks.at(page, 'backups')
  await choose(page, made, 'Bring back…')
  await dialog(page).getByRole('radio', { name: 'One player' }).click()
  await dialog(page).getByLabel('Player', { exact: true }).selectOption('Steve')
  await dialog(page).getByRole('button', { name: 'Bring back' }).click()
  await expect.poll(() => at(`world/playerdata/${STEVE}.dat`)).toBe('rich')
  expect(await at('world/level.dat')).toBe('newer')
  await expect(dialog(page)).toHaveCount(0)

  await rm(path.join(folder, 'world'), { recursive: true })
  await choose(page, made, 'Bring back…')
  await looks.at(page, 'bringing back')
  await dialog(page).getByRole('button', { name: 'Bring back' }).click()
  await expect.poll(() => treeOf(folder)).toEqual(before)
  await expect(page.getByText(/^Meadow is back to/)).toBeVisible()

  await choose(page, made, 'Bring back…')
  await dialog(page).getByRole('radio', { name: 'Everything, as a new server' }).click()
  await dialog(page).getByLabel('Name of the new server').fill('Meadow then')
  await dialog(page).getByRole('checkbox', { name: 'Start it when it’s ready' }).click()
  await dialog(page).getByRole('button', { name: 'Create server' }).click()
  await expect(serverLink(page, 'Meadow then')).toBeVisible()
  looks.expectNothing()
})
