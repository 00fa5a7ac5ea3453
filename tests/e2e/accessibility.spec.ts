import { expect, test } from './fixtures/journey.ts'
import { expectOwnColors } from './fixtures/contrast.ts'
import { Looks } from './fixtures/looks.ts'
import {
  askToKill,
  goToSignIn,
  openAccount,
  openConsole,
  openSection,
  row,
  section,
  sendCommand,
  serverLink,
  signIn,
  status,
  tab,
} from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

test('axe finds nothing on the way in', async ({ openPanel, startService }) => {
  const looks = new Looks()
  const service = await startService()
  const { page } = await openPanel()
  await expect(page.getByRole('button', { name: 'This computer' })).toBeVisible()
  await looks.at(page, 'start')
  await goToSignIn(page, service.baseUrl)
  await looks.at(page, 'sign in')
  await page.getByLabel('Service address').fill('nowhere at all')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('This field is required.').first()).toBeVisible()
  await looks.at(page, 'sign in with errors')
  await page.getByLabel('Service address').fill('http://127.0.0.1:1/api/v1')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill('Ann likes long passwords')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await looks.at(page, 'sign in that failed')
  await page.getByLabel('Service address').fill(service.baseUrl)
  await page.getByRole('button', { name: 'Use an access token' }).click()
  await looks.at(page, 'access token')
  await page.getByRole('button', { name: 'Use email and password' }).click()
  await page.getByRole('button', { name: 'Forgot password' }).click()
  await looks.at(page, 'forgot password')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await looks.at(page, 'set a new password')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await looks.at(page, 'create an account')
  await page.getByLabel('Name').fill('Ann')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  await looks.at(page, 'confirm')
  looks.expectNothing()
})

test('axe finds nothing in the frame and around a connection', async ({ openPanel, startService }) => {
  const looks = new Looks()
  const service = await startService()
  const ann = await service.account('Ann')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await expect(page.getByText('No servers here yet')).toBeVisible()
  await looks.at(page, 'connection without servers')
  await page.getByRole('button', { name: 'Create server' }).click()
  await expect(page.getByRole('group', { name: 'Software' })).toBeVisible()
  await looks.at(page, 'create server')
  await page.getByText('More options').click()
  await looks.at(page, 'create server, more options')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(status(page)).toHaveText('Offline')
  await page.getByRole('link', { name: 'All servers' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await looks.at(page, 'all servers')
  for (const name of ['Accounts', 'Notifications', 'App settings']) {
    // Its name goes on where something is unread.
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await looks.at(page, name)
  }
  await page.getByRole('button', { name: 'Show diagnostics' }).click()
  await expect(page.getByRole('region', { name: 'The diagnostics as text' })).toContainText('[Connections]')
  await looks.at(page, 'diagnostics')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await looks.at(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
  await looks.at(page, 'palette')
  await page.keyboard.press('Escape')
  for (const [section, name] of [
    ['Security', 'Change password'],
    ['Profile', 'Sign out'],
  ] as const) {
    await openAccount(page, section)
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    if (name === 'Change password') {
      await page.getByLabel('New password').fill('password123')
      await expect(page.getByText('Very easy to guess.')).toBeVisible()
    }
    await looks.at(page, name)
    await page.keyboard.press('Escape')
  }
  for (const section of ['Devices', 'Plan', 'Data', 'Advanced'] as const) {
    await openAccount(page, section)
    await looks.at(page, `account ${section}`)
  }
  looks.expectNothing()
})

test('axe finds nothing in the views of a server, whatever contrast, colors and size of text the system asks for', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)
  const { page } = await openPanel()
  await expect(page.getByRole('button', { name: 'This computer' })).toBeVisible()
  await looks.contrast(page, 'start')
  await signIn(page, service.baseUrl, ann)
  await expect(page.getByRole('table')).toBeVisible()
  await looks.contrast(page, 'servers')
  for (const name of ['Notifications', 'App settings']) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await looks.contrast(page, name)
  }
  await expectOwnColors(page)
  await serverLink(page, 'Far away').click()
  await expect(page.getByRole('img', { name: /^CPU/ })).toBeVisible()
  await expect(status(page)).toHaveText('Online')
  await looks.at(page, 'overview')
  await looks.contrast(page, 'overview')
  await openConsole(page)
  await sendCommand(page, 'flood 200')
  await expect(row(page, 'Flood of 200 lines is over')).toBeVisible()
  await looks.contrast(page, 'console')
  await page.getByRole('button', { name: /^Search the console/ }).click()
  await page.getByLabel('Search the console', { exact: true }).fill('flood')
  await looks.at(page, 'console with search')
  await page.getByLabel('Command', { exact: true }).fill('one\ntwo')
  await expect(page.getByRole('alert')).toBeVisible()
  await looks.at(page, 'console with a command that cannot be sent')
  await tab(page, 'Files').click()
  await expect(page.getByRole('tabpanel', { name: 'Files' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^New/ }).first()).toBeVisible()
  await looks.contrast(page, 'files', tab(page, 'Files'))
  await tab(page, 'Extensions').click()
  await expect(page.getByRole('tabpanel', { name: 'Extensions' })).toBeVisible()
  await looks.at(page, 'software without extensions')
  await openSection(page, 'Software')
  await expect(page.getByRole('button', { name: 'Change…' })).toBeVisible()
  await looks.at(page, 'software')
  await page.getByRole('button', { name: 'Change…' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toBeVisible()
  await looks.at(page, 'software, change')
  await openSection(page, 'General')
  await expect(page.getByLabel('Name')).toHaveValue('Far away')
  await looks.at(page, 'settings')
  await looks.contrast(page, 'settings')
  for (const name of ['Java and starting', 'Danger zone']) {
    await section(page, name).click()
    await expect(section(page, name)).toHaveAttribute('aria-current', 'page')
    await looks.at(page, `settings, ${name}`)
  }
  await page.getByRole('button', { name: 'Delete server' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await looks.at(page, 'delete')
  await looks.contrast(page, 'delete')
  await page.keyboard.press('Escape')
  await askToKill(page)
  await expect(page.getByRole('dialog')).toBeVisible()
  await looks.at(page, 'kill')
  await page.keyboard.press('Escape')

  await service.command(ann.token, serverId, 'crash 3')
  await tab(page, 'Overview').click()
  await expect(status(page)).toHaveText('Crashed')
  await looks.at(page, 'overview of a crash')
  await service.program.end()
  await expect(page.getByRole('contentinfo').getByRole('button', { name: 'Try again' })).toBeVisible()
  await looks.at(page, 'offline')
  await page.setViewportSize({ width: 720, height: 600 })
  await looks.at(page, 'offline in a narrow window')
  looks.expectNothing()
})
