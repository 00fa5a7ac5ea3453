import { Secret, TOTP } from 'otpauth'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import {
  goToSignIn,
  openAccount,
  openSection,
  serverLink,
  signIn,
  signOut,
  submitSignIn,
} from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

/** What an app shows `steps` of half a minute from now. A service takes the code before and the next one too. */
const codeOf = (key: string, steps: number) =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: Date.now() + steps * 30_000 })

/** Deletes the server that is shown: it takes a code. */
async function deleteWith(page: Page, code: string, looks: Looks): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete server' }).click()
  await dialog.getByLabel(/Type the name/).fill('Far away')
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(dialog.getByLabel('Code from your app')).toBeFocused()
  await expect(serverLink(page, 'Far away')).toBeVisible()
  await looks.at(page, 'delete a server with a code')
  await dialog.getByLabel('Code from your app').fill(code)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('Far away was deleted.')).toBeVisible()
  await expect(page.getByText('No servers here yet')).toBeVisible()
}

test('a second factor is set up, asked for at sign-in and before a server is deleted, and turned off', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await openAccount(page, 'Security')
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await looks.at(page, 'second factor off')
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill('not this one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('The current password is incorrect.')).toBeVisible()
  await dialog.getByLabel('Current password').fill(ann.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await looks.at(page, 'second factor QR code')
  const key = ((await dialog.getByText(/^([A-Z2-7]{4} ?)+$/).textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByLabel('Code from your app').fill(codeOf(key, -20))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('This code is wrong')).toBeVisible()
  await dialog.getByLabel('Code from your app').fill(codeOf(key, 0))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('Two-factor authentication is on.')).toBeVisible()
  const codes = await dialog
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents()
  expect(new Set(codes).size).toBe(10)
  await looks.at(page, 'recovery codes')
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  await looks.at(page, 'second factor on')

  await signOut(page)
  await goToSignIn(page, service.baseUrl)
  await submitSignIn(page, ann)
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible()
  await looks.at(page, 'sign in with a code')
  await page.getByLabel('Code from your app').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await openAccount(page, 'Security')
  await expect(page.getByText('9 recovery codes left')).toBeVisible()

  await page.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByLabel('Current password').fill(ann.password)
  await dialog.getByLabel('New password').fill('a new and better password')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByLabel('Code from your app')).toBeFocused()
  await looks.at(page, 'change password with a code')
  await dialog.getByLabel('Code from your app').fill(codeOf(key, 1))
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()

  await serverLink(page, 'Far away').click()
  await openSection(page, 'Danger zone')
  await deleteWith(page, codes[1]?.toLowerCase().replaceAll('-', ' ') ?? '', looks)
  await openAccount(page, 'Security')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Current password').fill('a new and better password')
  await dialog.getByLabel('Code from your app').fill(codes[2] ?? '')
  await looks.at(page, 'turn off the second factor')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Two-factor authentication is off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
  looks.expectNothing()
})
