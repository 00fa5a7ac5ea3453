import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import {
  fileRow,
  openFiles,
  openTransfers,
  signedIn,
  transferRow,
  transferred,
  uploadFiles,
} from './fixtures/files-view.ts'
import type { Account, Service } from './fixtures/service.ts'
import { hashOf, someBytes, treeOf, write } from './fixtures/trees.ts'
import { connectionLine, openAccount, railPart, signIn } from './fixtures/views.ts'

const GIFT = ['create', '--name', 'Launch week', '--servers', '2', '--memory-mb', '2048', '--lasts', '30']

// Nothing is half way to its color when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Ends every sign-in of the account, and this one, in one act. */
async function signOutEverywhere(
  page: Page,
  service: Service,
  { email, password }: Account,
  looks: Looks,
): Promise<void> {
  const { token } = await service.must('POST', '/auth/login', { body: { email, password } })
  await openAccount(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Also on all other devices and programs').check()
  await looks.at(page, 'sign out everywhere')
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText(/here and on all other devices/)).toBeVisible()
  expect((await service.call('GET', '/users/me', { token })).status).toBe(401)
}

test('name and language are changed, other devices are signed out, and the data is saved as a file', async ({
  openPanel,
  startService,
  place,
}) => {
  const looks = new Looks()
  const service = await startService()
  const ann = await service.account('Ann')
  const { token: other } = await service.must('POST', '/auth/login', {
    body: { email: ann.email, password: ann.password },
  })
  const { page } = await openPanel()
  const downloads = place.at('Downloads')
  await signIn(page, service.baseUrl, ann)

  await openAccount(page)
  await page.getByLabel('Name of this service').fill('Far away')
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(railPart(page, 'Far away')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Anna')
  await page.getByLabel('Language of emails').selectOption('Deutsch')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Your account was saved.')).toBeVisible()
  const me = await service.call('GET', '/users/me', { token: other })
  expect(me.body).toMatchObject({ name: 'Anna', language: 'de' })
  await page.reload()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Anna')
  await expect(railPart(page, 'Far away')).toBeVisible()
  await looks.at(page, 'account')

  await openAccount(page, 'Devices')
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(sessions.getByRole('listitem').first()).toContainText('This panel')
  await expect(sessions.getByRole('listitem').first()).toContainText('Wheelhouse (')
  await expect(sessions.getByRole('listitem').first()).toContainText('127.0.0.1')
  await looks.at(page, 'account devices')
  await sessions.getByRole('button', { name: 'End all other sessions' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await looks.at(page, 'end all other sessions')
  await dialog.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(page.getByText('All other sessions have ended.')).toBeVisible()
  expect((await service.call('GET', '/users/me', { token: other })).status).toBe(401)
  expect((await service.call('GET', '/users/me', { token: ann.token })).status).toBe(401)
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(sessions.getByRole('button')).toHaveCount(0)
  await expect(connectionLine(page)).toBeEmpty()

  const codes = place.start('service', ['promocodes', '--data', service.data, ...GIFT])
  const code = await codes.says(/^(\S+-\S+)$/m)
  await openAccount(page, 'Plan')
  const promocodes = page.getByRole('region', { name: 'Promocodes' })
  await promocodes.getByLabel('Promocode', { exact: true }).fill(code.toLowerCase().replaceAll('-', ' '))
  await page.keyboard.press('Enter')
  await expect(promocodes.getByRole('listitem')).toContainText('2 more servers')
  await expect(promocodes.getByText('0 of 102')).toBeVisible()
  await promocodes.getByLabel('Promocode', { exact: true }).fill(code)
  await page.keyboard.press('Enter')
  await expect(promocodes.getByText('This account has already used this code.')).toBeVisible()
  await looks.at(page, 'promocodes')

  await openAccount(page, 'Data')

  for (const name of [`account-${service.host}.json`, `account-${service.host} (2).json`]) {
    await page.getByRole('button', { name: 'Save my data' }).click()
    await expect(page.getByText(`Saved as ${path.join(downloads, name)}`)).toBeVisible()
  }
  expect((await readdir(downloads)).toSorted()).toEqual([
    `account-${service.host} (2).json`,
    `account-${service.host}.json`,
  ])
  const file = path.join(downloads, `account-${service.host}.json`)
  const text = await readFile(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ account: { name: 'Anna', email: ann.email, language: 'de' } })
  expect((await stat(file)).mode & 0o077).toBe(0)
  await looks.at(page, 'account with saved data')
  await signOutEverywhere(page, service, ann, looks)
  looks.expectNothing()
})

test('a token that is revoked in the middle of an upload is told once; after signing in all goes on where it was', async ({
  openPanel,
  startService,
  place,
}) => {
  const service = await startService()
  const { page } = await openPanel()
  const { account, folders } = await signedIn(page, service, 'Far away')
  const [folder = ''] = folders
  await write(folder, { 'notes.txt': 'here' })
  await write(place.at('mine'), { 'big.bin': someBytes(8 * 1024 * 1024, 1) })
  await openFiles(page, 'Far away')
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
  const before = page.url()
  await openTransfers(page)
  await page.getByLabel('Speed limit').selectOption(String(256 * 1024))
  await uploadFiles(page, place.at('mine', 'big.bin'))
  await expect(transferRow(page, 'big.bin').getByRole('progressbar')).toHaveAttribute(
    'aria-valuenow',
    /^[1-9]/,
  )

  await service.must('DELETE', '/users/me/sessions', { token: account.token })
  await expect(connectionLine(page)).toContainText('Signed out')
  await expect(transferRow(page, 'big.bin')).toContainText('signed out', { ignoreCase: true })
  await expect(transferRow(page, 'big.bin')).not.toContainText('Failed')
  // What was read is there to be read, and nothing else says it once more.
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in again' })).toHaveCount(1)
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
  expect(page.url()).toBe(before)
  await expect(connectionLine(page)).toBeEmpty()
  await openTransfers(page)
  await page.getByLabel('Speed limit').selectOption('none')
  await transferred(page, 'big.bin')
  expect((await treeOf(folder))['big.bin']).toBe(await hashOf(place.at('mine', 'big.bin')))
  await expect(fileRow(page, 'big.bin')).toBeVisible()
})
