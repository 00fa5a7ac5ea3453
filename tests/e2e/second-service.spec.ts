import { expect, test } from './fixtures/journey.ts'
import { withoutKeychain } from './fixtures/panel.ts'
import {
  connectionLine,
  connectionLink,
  openAccount,
  openConsole,
  railPart,
  row,
  sendCommand,
  serverLink,
  signIn,
  status,
  tab,
} from './fixtures/views.ts'

test('signed in to a second service, the panel still is after it was closed', async ({
  openPanel,
  startService,
}) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)

  const first = await openPanel()
  await first.page.getByRole('button', { name: 'This computer' }).click()
  await expect(first.page.getByRole('heading', { level: 1, name: 'Create server' })).toBeVisible()
  await first.page.getByRole('link', { name: 'All servers' }).click()
  await signIn(first.page, service.baseUrl, ann)
  await openAccount(first.page, 'Advanced')
  await expect(first.page.getByText('in this computer’s keychain')).toBeVisible()
  await serverLink(first.page, 'Far away').click()
  await expect(status(first.page)).toHaveText('Online')
  await openConsole(first.page)
  await sendCommand(first.page, 'say remember me')
  await expect(row(first.page, '[Server] remember me')).toBeVisible()
  await first.close()

  // Both stand in one list, signed in, with nobody having typed anything.
  const again = await openPanel({ data: first.data })
  await expect(railPart(again.page, 'This computer')).toBeVisible()
  await expect(railPart(again.page, `${service.host}:${service.port}`)).toContainText('Far away')
  await serverLink(again.page, 'Far away').click()
  await expect(status(again.page)).toHaveText('Online')
  await openConsole(again.page)
  await expect(row(again.page, '[Server] remember me')).toBeVisible()
  await sendCommand(again.page, 'say and me')
  await expect(row(again.page, '[Server] and me')).toBeVisible()
  // The commands of last time are an arrow key away.
  await again.page.getByLabel('Command', { exact: true }).press('ArrowUp')
  await again.page.getByLabel('Command', { exact: true }).press('ArrowUp')
  await expect(again.page.getByLabel('Command', { exact: true })).toHaveValue('say remember me')
  await again.close()

  // Without the service everything that was read is still there, and marked as old.
  await service.program.end()
  const { page } = await openPanel({ data: first.data })
  await expect(serverLink(page, 'Far away')).toBeVisible()
  await serverLink(page, 'Far away').click()
  await expect(connectionLine(page)).toContainText(/Offline.*as of/)
  await openConsole(page)
  await expect(row(page, '[Server] remember me')).toBeVisible()
  await expect(row(page, '[Server] and me')).toBeVisible()
  await tab(page, 'Overview').click()
  await expect(page.getByRole('definition').filter({ hasText: 'Flood' })).toBeVisible()
  // The other connection does not care.
  await connectionLink(page, 'This computer').click()
  await expect(connectionLine(page)).toBeEmpty()
  await expect(page.getByText('No servers here yet')).toBeVisible()
})

test('without a keychain the panel says that a sign-in lasts until it is closed', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away')
  const env = withoutKeychain(place)

  const first = await openPanel({ env })
  await signIn(first.page, service.baseUrl, ann)
  await expect(first.page.getByText(/^You’ll need to sign in again after closing Wheelhouse/)).toBeVisible()
  await openAccount(first.page, 'Advanced')
  await expect(first.page.getByText('in memory only, until the panel closes')).toBeVisible()
  await first.page.getByRole('link', { name: 'App settings' }).click()
  await expect(first.page.getByText(/^There is no keychain in this session/)).toBeVisible()
  await first.close()

  // What was read stays; signing in again goes on with the same connection.
  const { page } = await openPanel({ env, data: first.data })
  const part = railPart(page, `${service.host}:${service.port}`)
  await expect(part).toContainText('Signed out')
  await expect(part).toContainText('Far away')
  await expect(connectionLine(page)).toContainText('Signed out')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page.getByLabel('Service address')).toHaveValue(service.baseUrl)
  await expect(page.getByLabel('Email')).toHaveValue(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(part).not.toContainText('Signed out')
  await expect(page.getByRole('navigation', { name: 'Servers' }).getByRole('group')).toHaveCount(1)
})
