import { filesWith } from './fixtures/files-with.ts'
import { expect, test } from './fixtures/journey.ts'
import {
  connectionLine,
  goToSignIn,
  openConsole,
  power,
  openAccount,
  railPart,
  row,
  sendCommand,
  serverLink,
  signIn,
  signOut,
  submitSignIn,
} from './fixtures/views.ts'

test('an account is made, confirmed by the code that was mailed, and signed in', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  await goToSignIn(page, service.baseUrl)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page.getByLabel('Service address')).toHaveValue(service.baseUrl)
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill('too short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Use at least 10 characters.')).toBeVisible()
  await page.getByLabel('Password').fill('Ann likes long passwords')
  await page.getByRole('button', { name: 'Create account' }).click()

  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  const code = await service.mailedCode('ann@example.com')
  await page.getByLabel('Code').fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(/This is not the code from the newest email/)).toBeVisible()
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { level: 1, name: new URL(service.baseUrl).host })).toBeVisible()
  await openAccount(page)
  await expect(page.getByText('Ann (ann@example.com)')).toBeVisible()
})

test('an account that is not confirmed leads to its code, and a new one can be had', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const ann = { email: 'ann@example.com', password: 'Ann likes long passwords' }
  await service.must('POST', '/auth/register', { body: { name: 'Ann', ...ann } })
  const first = await service.mailedCode(ann.email)
  const { page } = await openPanel()
  await goToSignIn(page, service.baseUrl)
  await submitSignIn(page, ann)
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(page.getByText('a new code is on its way')).toBeVisible()
  const second = await service.mailedCode(ann.email)
  // Once in a million times the two are the same.
  if (first !== second) {
    await page.getByLabel('Code').fill(first)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText(/This is not the code from the newest email/)).toBeVisible()
  }
  await page.getByLabel('Code').fill(second)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { level: 1, name: new URL(service.baseUrl).host })).toBeVisible()
  await openAccount(page)
  await expect(page.getByText(`Ann (${ann.email})`)).toBeVisible()
})

test('a wrong password says so, and a forgotten one is set anew by a code', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const { page } = await openPanel()
  await goToSignIn(page, service.baseUrl)
  await submitSignIn(page, { email: ann.email, password: 'not this one' })
  await expect(page.getByRole('alert')).toHaveText(
    'The email or password is incorrect. Check both and try again.',
  )
  await expect(page.getByLabel('Email')).toHaveValue(ann.email)
  // Who does not know it is told nothing else: an account that is not there answers the same.
  await submitSignIn(page, { email: 'nobody@example.com', password: 'not this one' })
  await expect(page.getByRole('alert')).toHaveText(
    'The email or password is incorrect. Check both and try again.',
  )

  await page.getByRole('button', { name: 'Forgot password' }).click()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await page.getByLabel('Code').fill(await service.mailedCode(ann.email))
  await page.getByLabel('New password').fill('a new and better password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible()
  await submitSignIn(page, ann)
  await expect(page.getByRole('alert')).toHaveText(
    'The email or password is incorrect. Check both and try again.',
  )
  await submitSignIn(page, { email: ann.email, password: 'a new and better password' })
  await expect(page.getByRole('heading', { level: 1, name: new URL(service.baseUrl).host })).toBeVisible()
  await openAccount(page)
  await expect(page.getByText(`Ann (${ann.email})`)).toBeVisible()
})

test('an access token can be pasted instead', async ({ openPanel, startService }) => {
  const service = await startService()
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away')
  const { page } = await openPanel()
  await goToSignIn(page, service.baseUrl)
  await page.getByRole('button', { name: 'Use an access token' }).click()
  await page.getByLabel('Access token').fill('no-token-of-this-service')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('The service does not accept this token.')).toBeVisible()
  await page.getByLabel('Access token').fill(`  Bearer ${ann.token}\n`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(serverLink(page, 'Far away')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: new URL(service.baseUrl).host })).toBeVisible()
  await openAccount(page)
  await expect(page.getByText(`Ann (${ann.email})`)).toBeVisible()
})

test('a token that was revoked signs out, keeps what was read, and goes on after signing in', async ({
  openPanel,
  startService,
}) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Far away').click()
  await openConsole(page)
  await sendCommand(page, 'say before')
  await expect(row(page, '[Server] before')).toBeVisible()

  // Somewhere else the password is changed, and with that every other sign-in ends.
  const body = { currentPassword: ann.password, newPassword: 'a new and better password' }
  await service.must('PATCH', '/users/password', { token: ann.token, body })
  await page.getByLabel('Command', { exact: true }).fill('say nobody hears this')
  await page.getByLabel('Command', { exact: true }).press('Enter')
  await expect(connectionLine(page)).toContainText('Signed out')
  await expect(page.getByRole('alert')).toContainText('You are signed out of this service')
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('say nobody hears this')
  await expect(row(page, '[Server] before')).toBeVisible()
  await expect(railPart(page, `${service.host}:${service.port}`)).toContainText('Far away')
  await expect(power(page, 'Stop')).toHaveAttribute('aria-disabled', 'true')

  const before = page.url()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByLabel('Password').fill('a new and better password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  // It is shown again where it was.
  await expect(page.getByLabel('Command', { exact: true })).toHaveValue('say nobody hears this')
  expect(page.url()).toBe(before)
  await expect(page.getByRole('navigation', { name: 'Servers' }).getByRole('group')).toHaveCount(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(row(page, '[Server] before')).toBeVisible()
  // What could not be sent still stands there.
  await page.getByLabel('Command', { exact: true }).press('Enter')
  await expect(row(page, '[Server] nobody hears this')).toBeVisible()
})

test('signing out wipes what was kept', async ({ openPanel, startService }) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)
  const first = await openPanel()
  await signIn(first.page, service.baseUrl, ann)
  await serverLink(first.page, 'Far away').click()
  await openConsole(first.page)
  await sendCommand(first.page, 'say only between us')
  await expect(row(first.page, '[Server] only between us')).toBeVisible()
  await first.close()
  expect(await filesWith(first.data, ['Far away'])).not.toEqual([])
  expect(await filesWith(first.data, ['only between us'])).not.toEqual([])

  const second = await openPanel({ data: first.data })
  await openAccount(second.page)
  await second.page.getByRole('button', { name: 'Sign out' }).click()
  for (const lost of ['Cached data', 'drafts', 'favorites', 'unfinished transfers end'])
    await expect(second.page.getByRole('dialog')).toContainText(lost)
  await second.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(second.page.getByText(`Signed out of ${new URL(service.baseUrl).host}.`)).toBeVisible()
  await expect(second.page.getByRole('button', { name: 'This computer' })).toBeVisible()
  await expect(serverLink(second.page, 'Far away')).toHaveCount(0)
  await second.close()
  expect(await filesWith(first.data, ['Far away', 'only between us', ann.email, ann.token])).toEqual([])

  const { page } = await openPanel({ data: first.data })
  await expect(page.getByRole('heading', { name: 'Wheelhouse' })).toBeVisible()
})

test('signing out while the service is away wipes too, and says that the token lives on', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await expect(serverLink(page, 'Far away')).toBeVisible()
  await service.program.end()
  await signOut(page)
  await expect(page.getByText('The service did not confirm it: the token may be valid until')).toBeVisible()
  await expect(serverLink(page, 'Far away')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Wheelhouse' })).toBeVisible()
})

test('changing the password keeps this sign-in', async ({ openPanel, startService }) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await openAccount(page, 'Security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill('not this one')
  await dialog.getByLabel('New password').fill('a new and better password')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText('The current password is incorrect.')).toBeVisible()
  await dialog.getByLabel('Current password').fill(ann.password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  expect((await service.call('GET', '/users/me', { token: ann.token })).status).toBe(401)
  await page.reload()
  await openAccount(page)
  await expect(page.getByText(`Ann (${ann.email})`)).toBeVisible()
  await expect(connectionLine(page)).toBeEmpty()
})
