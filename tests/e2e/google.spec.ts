import type { BrowserContext, Page } from '@playwright/test'
import { startIdentityProvider } from '../fixtures/identity-provider.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { goToSignIn, openAccount, signOut } from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** What the person's browser is sent to; here it is another tab. */
async function visitIn(context: BrowserContext, page: Page): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(await page.getByLabel('Address of the sign-in').inputValue())
  await expect(tab.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
  return tab
}
const back = (tab: Page) => expect(tab.getByRole('heading', { name: 'Back to Wheelhouse' })).toBeVisible()

async function refuse(tab: Page): Promise<void> {
  await tab.getByRole('link', { name: 'Refuse' }).click()
  await back(tab)
  await tab.close()
}

/** Gives up in the panel before the browser comes back. */
async function cancel(page: Page, tab: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel' }).click()
  await tab.getByRole('link', { name: 'new', exact: true }).click()
  await expect(tab.getByRole('heading', { name: 'This sign-in is over' })).toBeVisible()
  await tab.close()
}

/** Takes the identity from the account again, by its password. */
async function unlink(page: Page, looks: Looks, password: string): Promise<void> {
  await openAccount(page, 'Security')
  const methods = page.getByRole('region', { name: 'How you sign in' })
  await expect(methods).toContainText('ann@example.com')
  await looks.at(page, 'Google, linked')
  await methods.getByRole('button', { name: /^Unlink/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(password)
  await looks.at(page, 'Google, unlink')
  await dialog.getByRole('button', { name: 'Unlink', exact: true }).click()
  await expect(methods).not.toContainText('ann@example.com')
  await expect(methods).toContainText('A password is set.')
}

test('signing in with Google is refused, canceled, done, and linked to an account that has a password', async ({
  context,
  openPanel,
  place,
  startService,
}) => {
  const looks = new Looks()
  const provider = await startIdentityProvider({
    new: { email: 'new@example.com', name: 'Newcomer' },
    ann: { email: 'ann@example.com', name: 'Ann' },
  })
  place.atEnd(() => provider.stop())
  const service = await startService({
    more: ['--google-client-id', provider.clientId, '--google-issuer', provider.issuer],
    env: { WHEELHOUSE_GOOGLE_CLIENT_SECRET: provider.clientSecret },
  })
  const ann = await service.account('Ann')
  const { page } = await openPanel()
  const google = page.getByRole('button', { name: 'Sign in with Google' })
  const offer = async () => {
    await goToSignIn(page, service.baseUrl)
    await page.getByLabel('Service address').press('Tab')
    await expect(google).toBeVisible()
  }
  const visit = () => visitIn(context, page)

  await offer()
  await looks.at(page, 'sign in, with Google')
  await google.click()
  await expect(page.getByLabel('Address of the sign-in')).toBeVisible()
  await looks.at(page, 'Google, waiting')
  await refuse(await visit())
  await expect(page.getByText('You did not allow the sign-in')).toBeVisible()
  await looks.at(page, 'Google, refused')

  await page.getByRole('button', { name: 'Begin again' }).click()
  await cancel(page, await visit())

  await google.click()
  const known = await visit()
  await known.getByRole('link', { name: 'ann', exact: true }).click()
  await back(known)
  await known.close()
  await expect(page.getByText('There is an account with this email already.')).toBeVisible()
  await looks.at(page, 'Google, password asked for')
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/The email or password is incorrect/)).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await openAccount(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ann')
  await unlink(page, looks, ann.password)

  await signOut(page)
  await offer()
  await google.click()
  const fresh = await visit()
  await fresh.getByRole('link', { name: 'new', exact: true }).click()
  await back(fresh)
  // Whoever leaves the form before it is done has canceled it.
  await expect(page.getByRole('heading', { level: 1, name: service.host })).toBeVisible()
  await openAccount(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Newcomer')
  await openAccount(page, 'Security')
  await expect(page.getByRole('region', { name: 'How you sign in' })).toContainText('No password is set.')
  await signOut(page)
  await offer()
  await google.click()
  const down = await visit()
  provider.failing.add('/token')
  await down.getByRole('link', { name: 'new', exact: true }).click()
  await back(down)
  await expect(page.getByText(/The service cannot reach the identity provider/)).toBeVisible()
  await looks.at(page, 'Google, provider down')
  // The browser that went there holds no token, and neither does what the panel's page was told.
  expect(fresh.url()).not.toMatch(/wh_/)
  looks.expectNothing()
})
