import { writeFile } from 'node:fs/promises'
import { json } from 'node:stream/consumers'
import type { Locator, Page } from '@playwright/test'
import { answerJson, oddService } from '../doubles/services/odd-service.ts'
import { account } from '../doubles/services/second-service/second-service.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { type Second, startSecond } from './fixtures/second.ts'
import {
  goToSignIn,
  openAccount,
  openConsole,
  railPart,
  row,
  sendCommand,
  serverLink,
  signIn,
  status,
  submitSignIn,
} from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const KEY = 'key-that-nobody-may-see'
const differences = /^This service answers differently in [2-9] places\./

/** What was copied last. */
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

const textOf = (page: Page): Locator => page.getByLabel('Profile as JSON')

interface Profile {
  headers?: string[]
  operations?: Record<string, { items?: string; answer?: Record<string, string> }>
}

const profileIn = async (page: Page) => JSON.parse(await textOf(page).inputValue()) as Profile

/** Saves the profile and waits until it is in force. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('The profile is saved. It applies from now on.')).toBeVisible()
}

/** Says in the text where this service hides its facts, and which header it is to be sent. */
async function tellInText(page: Page): Promise<void> {
  const { operations, ...profile } = await profileIn(page)
  const list = operations?.['servers.list']
  const hidden = {
    'servers.read': { envelope: 'data' },
    'servers.list': { ...list, answer: { ...list?.answer, name: 'caption' } },
  }
  const told = { ...profile, headers: ['X-Key'], operations: { ...operations, ...hidden } }
  await textOf(page).fill(JSON.stringify(told, null, 2))
  await page.getByLabel('Value of X-Key').fill(KEY)
}

/** Checks the draft at the service: it is asked by reads alone, as the draft says. */
async function checkLive(page: Page, service: Second): Promise<void> {
  const before = service.log.length
  await page.getByRole('button', { name: 'Check against the service' }).click()
  await expect(page.getByText('2 entries read', { exact: true })).toBeVisible()
  const sent = service.log.slice(before).filter(({ headers }) => headers['x-key'] === KEY)
  expect(sent.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/api/v1/users/me', '/api/v1/servers']),
  )
  expect([...new Set(service.log.slice(before).map(({ method }) => method))]).toEqual(['GET'])
}

test('@browser a service that hides its facts is used by a profile that is proposed, edited, checked, kept and carried', async ({
  openPanel,
  place,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const looks = new Looks()
  const service = await startSecond(place, {
    names: 'snake',
    value: 'data',
    times: 'seconds',
    facts: 'hidden',
  })
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, account)

  await page.getByRole('main').getByRole('link', { name: 'Fix it…' }).click()
  await expect(page.getByText(differences)).toBeVisible()
  await page.getByRole('button', { name: 'Copy as text' }).click()
  await expect.poll(() => copied(page)).toContain('servers.list (GET /servers)')
  expect(await copied(page)).not.toContain(account.email)

  await page.getByText('API profile', { exact: true }).click()
  await page.getByRole('button', { name: 'Add what was seen' }).click()
  await expect
    .poll(() => profileIn(page))
    .toMatchObject({
      operations: { 'account.me': { envelope: 'data' }, 'servers.list': { items: 'data.machines' } },
    })
  await tellInText(page)
  await looks.at(page, 'profile')
  await checkLive(page, service)
  await looks.at(page, 'profile, checked')
  await save(page)
  await expect(page.getByText('A value is in the keychain.', { exact: false })).toBeVisible()
  await expect(serverLink(page, 'Creative')).toBeVisible()
  expect(service.log.at(-1)?.headers['x-key']).toBe(KEY)

  // A command is refused, the service names the field that it wants, and that is proposed.
  await serverLink(page, 'Survival').click()
  await expect(status(page)).toHaveText('Online')
  await openConsole(page)
  await page.getByLabel('Command', { exact: true }).fill('say hello')
  await page.getByLabel('Command', { exact: true }).press('Enter')
  await expect(page.getByText('The field "cmd" is required.')).toBeVisible()
  await openAccount(page, 'Advanced')
  await expect(page.getByText('This service expects another name for 1 field of a request.')).toBeVisible()
  await page.getByText('API profile', { exact: true }).click()
  await page.getByRole('button', { name: 'Add what was seen' }).click()
  await expect
    .poll(() => profileIn(page))
    .toMatchObject({ operations: { 'console.command': { request: { command: 'cmd' } } } })
  await save(page)

  // It goes out without the header's value, is removed, and comes back as a file.
  await page.getByRole('button', { name: 'Copy profile' }).click()
  await expect.poll(() => copied(page)).toContain('"X-Key"')
  const text = await copied(page)
  expect(text).not.toContain(KEY)
  await page.getByRole('button', { name: 'Remove profile' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove profile' }).click()
  const part = railPart(page, new URL(service.baseUrl).host)
  await expect(part.getByText('The servers couldn’t be read')).toBeVisible()
  const file = place.at('profile.json')
  await writeFile(file, text)
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText('No value is kept yet, so this header isn’t sent.')).toBeVisible()
  await save(page)
  await expect(part.getByText('The servers couldn’t be read')).toHaveCount(0)
  await serverLink(page, 'Survival').click()
  await openConsole(page)
  await sendCommand(page, 'say hello')
  await expect(row(page, '> say hello')).toBeVisible()
  expect(service.ran).toEqual(['say hello'])
  expect(service.log.at(-1)?.headers['x-key']).toBeUndefined()
  looks.expectNothing()
})

test('@browser a service that wants other names than ours at the sign-in is signed in to once somebody agrees', async ({
  openPanel,
  place,
}) => {
  const user = { id: 'u1', name: 'Ann', email: account.email }
  const service = await oddService({
    async 'POST /auth/login'(request, response) {
      const sent = (await json(request)) as Record<string, string>
      const missing = ['username', 'passphrase'].filter((name) => !sent[name])
      const errors = Object.fromEntries(missing.map((name) => [name, [`The ${name} is required.`]]))
      if (missing.length > 0) answerJson(response, { errors }, 422)
      else answerJson(response, { token: 'a-token', user })
    },
    'GET /users/me': (_request, response) => answerJson(response, user),
    'GET /servers': (_request, response) => answerJson(response, [{ id: 'a', name: 'Lighthouse' }]),
  })
  place.atEnd(() => service.close())
  const { page } = await openPanel()
  const looks = new Looks()
  await goToSignIn(page, service.baseUrl)
  await submitSignIn(page, account)
  await expect(page.getByText('email → username, password → passphrase')).toBeVisible()
  await looks.at(page, 'sign-in, wanted names')
  await page.getByRole('button', { name: 'Use these names' }).click()
  await expect(serverLink(page, 'Lighthouse')).toBeVisible()
  looks.expectNothing()
})
