import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { join } from './fixtures/player.ts'
import { openSection, status, tab } from './fixtures/views.ts'

const SLOWLY = { timeout: 60_000 }

test('a newcomer makes a nightly restart and backup from templates and tries both with a friend on, who is warned in the chat', async ({
  openPanel,
  place,
}) => {
  test.setTimeout(300_000)
  const looks = new Looks()
  const { page } = await openPanel()
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByLabel('Name').fill('Meadow')
  await page.getByRole('button', { name: 'Create and start' }).click()
  await expect(status(page)).toHaveText('Online', SLOWLY)
  const copies = page.getByRole('button', { name: /^Copy the address/ })
  const address = (await copies.getAttribute('aria-label'))?.replace('Copy the address ', '') ?? ''
  const friend = await join(place, address, 'Robin')

  await openSection(page, 'Schedules')
  await expect(page.getByText('No schedules yet')).toBeVisible()
  await page.getByRole('button', { name: 'New schedule' }).click()
  await looks.at(page, 'schedules, templates')
  await page.getByRole('menuitem', { name: 'Nightly restart' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await expect(dialog).toContainText(/Next runs:.+5:00.+5:00/)
  await dialog.getByLabel('Countdown').selectOption('10')
  await looks.at(page, 'schedules, editor')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem')
  await expect(row).toContainText(
    /Every day at 0?5:00.*, if the server is online: warn players 10 secs? ahead, restart/,
  )

  await row.getByRole('button', { name: 'Run Nightly restart now' }).click()
  await friend.reads('The server restarts in 10 seconds.')
  await friend.kicked
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await expect(row).toContainText('Last: done', SLOWLY)
  await looks.at(page, 'schedules, list')
  await row.getByRole('button', { name: 'More for Nightly restart' }).click()
  await page.getByRole('menuitem', { name: 'Runs' }).click()
  const runs = page.getByRole('dialog', { name: 'Runs of Nightly restart' })
  await expect(runs).toContainText(/restart:\s+done/)
  await looks.at(page, 'schedules, runs')
  await runs.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'New schedule' }).click()
  await page.getByRole('menuitem', { name: 'Nightly backup' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Run Nightly backup now' }).click()
  await openSection(page, 'Backups')
  await expect(page.getByRole('row', { name: /By a schedule/ }).getByText(/new\)/)).toBeVisible(SLOWLY)

  await tab(page, 'Overview').click()
  await expect(page.getByRole('main')).toContainText('Nightly restart: restarted the server')
  looks.expectNothing()
})
