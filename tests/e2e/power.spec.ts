import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { join } from './fixtures/player.ts'
import { power, serverLink, signIn, status, tab } from './fixtures/views.ts'

const SLOWLY = { timeout: 60_000 }

test('players are warned in the game before a restart, and nobody is thrown off by one click', async ({
  openPanel,
  startService,
  place,
}) => {
  test.setTimeout(300_000)
  const looks = new Looks()
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Meadow')
  await service.online(ann.token, serverId)
  const { address } = await service.must('GET', `/servers/${serverId}`, { token: ann.token })
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await tab(page, 'Settings').click()
  const alex = await join(place, `${address.host}:${address.port}`, 'Alex')
  await expect(serverLink(page, 'Meadow')).toContainText('1/')

  // One click asks; closing the question does nothing.
  const dialog = page.getByRole('dialog', { name: 'Restart Meadow?' })
  await power(page, 'Restart').click()
  await expect(dialog).toContainText('1 player is online and will be disconnected.')
  await looks.at(page, 'power, question')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(status(page)).toHaveText('Online')

  // A warning can be canceled, and players read that too.
  const countdown = page.getByRole('group', { name: 'Countdown' })
  await power(page, 'Restart').click()
  await dialog.getByRole('button', { name: 'Warn players, restart in 1 minute' }).click()
  await expect(countdown).toContainText(/Restarts in [01]:\d\d/)
  await alex.reads('The server restarts in 60 seconds.')
  await looks.at(page, 'power, countdown')
  await countdown.getByRole('button', { name: 'Cancel' }).click()
  await alex.reads('The restart was canceled.')
  await expect(countdown).toHaveCount(0)
  await expect(status(page)).toHaveText('Online')

  // It needs no window, and goes at once when everybody has left.
  await power(page, 'Restart').click()
  await dialog.getByRole('button', { name: 'Warn players, restart in 1 minute' }).click()
  await expect(countdown).toBeVisible()
  await page.reload()
  await expect(countdown).toContainText('Restarts in 0:')
  await alex.reads('The server restarts in 30 seconds.')
  alex.leave()
  await expect(countdown).toHaveCount(0)
  await expect(status(page)).not.toHaveText('Online')
  await expect(status(page)).toHaveText('Online', SLOWLY)
  await expect(serverLink(page, 'Meadow')).toContainText('0/')
  looks.expectNothing()
})
