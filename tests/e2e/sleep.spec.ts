import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { askToJoin } from '../fixtures/raw-game.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { join } from './fixtures/player.ts'
import { openSection, power, serverLink, signIn, status, tab } from './fixtures/views.ts'

// A server that nobody plays on sleeps; a friend who joins wakes it, while its owner does nothing.

test('a friend wakes a sleeping server by joining, and is on at the second try', async ({
  openPanel,
  startService,
  place,
}) => {
  const looks = new Looks()
  const service = await startService()
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Meadow')
  await service.online(ann.token, serverId)
  const { address } = await service.must('GET', `/servers/${serverId}`, { token: ann.token })
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()

  await openSection(page, 'General')
  await page.getByLabel('Sleep when empty').selectOption('After 15 minutes')
  await expect(page.getByLabel('Who can wake it')).toHaveValue('anybody')
  await expect(page.getByText(/^Friends see it as asleep in their list\./)).toBeVisible()
  await looks.at(page, 'sleep, settings', page.getByLabel('Who can wake it'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  const { sleep } = await service.must('GET', `/servers/config/${serverId}`, { token: ann.token })
  expect(sleep).toEqual({ afterMinutes: 15, wake: 'anybody' })

  // As it is once the minutes are over: nobody waits for them here.
  await service.must('POST', `/servers/power/${serverId}`, { token: ann.token, body: { action: 'stop' } })
  await expect(status(page)).toHaveText('Offline', { timeout: 60_000 })
  await service.program.end()
  await writeFile(path.join(service.data, 'sleeping', serverId), '')
  await service.start()
  await expect(status(page)).toHaveText('Sleeping', { timeout: 60_000 })
  await expect(serverLink(page, 'Meadow')).toContainText('Sleeping')
  await expect(power(page, 'Start')).toBeEnabled()
  await tab(page, 'Overview').click()
  await expect(page.getByText('Server is asleep').first()).toBeVisible()
  await looks.at(page, 'sleep, overview')

  const friend = { host: address.host, port: address.port }
  await expect.poll(() => askToJoin(friend, 'Ada').catch(() => '')).toContain('Waking up.')
  await expect(status(page)).toHaveText('Online', { timeout: 60_000 })
  await join(place, `${address.host}:${address.port}`, 'Ada')
  await expect(serverLink(page, 'Meadow')).toContainText('1/')
  await openSection(page, 'Activity')
  await expect(page.getByText('Ada wanted to join, so the server woke up')).toBeVisible()
  looks.expectNothing()
})
