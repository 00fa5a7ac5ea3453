import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { presets } from '../../src/contract/rules/scopes.ts'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Account, Service } from './fixtures/service.ts'
import {
  connectionLink,
  openSection,
  power,
  section,
  serverLink,
  signIn,
  status,
  tab,
} from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const people = (page: Page): Locator => page.getByRole('table', { name: 'Who can use this server' })
const person = (page: Page, name: string): Locator => people(page).getByRole('row', { name })
const dialog = (page: Page): Locator => page.getByRole('dialog')

async function mailsTo(service: Service, email: string): Promise<string[]> {
  const folder = path.join(service.data, 'outbox')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  return mails.filter((mail) => mail.includes(`To: ${email}`))
}

/** Invites somebody in the panel, with what the role brings. */
async function invite(page: Page, { email }: Account, role?: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog(page).getByLabel('Email address').fill(email)
  if (role) await dialog(page).getByLabel('Role').selectOption(role)
  await dialog(page).getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog(page)).toHaveCount(0)
}

async function choose(page: Page, name: string, role: string): Promise<void> {
  await page.getByRole('button', { name: `Change the permissions of ${name}` }).click()
  await dialog(page).getByLabel('Role').selectOption(role)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toHaveCount(0)
}

test('two people in two panels share a server and see what the other one does', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const [ann, ben] = [await service.account('Ann'), await service.account('Ben')]
  await service.server(ann.token, 'Meadow')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Access')
  await expect(page.getByRole('heading', { name: 'Nobody else has access' })).toBeVisible()
  await invite(page, ben)
  await expect(person(page, ben.email)).toContainText('Invited')
  const [, invitation] = await mailsTo(service, ben.email)
  expect(invitation).toContain('Ann invites you to the server Meadow')

  const { page: other } = await openPanel({ data: 'other' })
  await signIn(other, service.baseUrl, ben)
  await expect(other.getByText('Ann wants to share the server Meadow with you.')).toBeVisible()
  await expect(other.getByText('No servers here yet')).toBeVisible()
  await other.getByRole('button', { name: 'Accept' }).click()
  await serverLink(other, 'Meadow').click()
  await expect(status(other)).toHaveText('Offline')
  // Ann's panel follows.
  await expect(person(page, 'Ben')).toContainText('Has access')

  // What a viewer may not do is not offered.
  await expect(power(other, 'Start')).toHaveCount(0)
  await expect(tab(other, 'Files')).toHaveCount(0)

  await choose(page, 'Ben', 'Operator')
  await expect(person(page, 'Ben')).toContainText('Operator')
  await power(other, 'Start').click()
  await expect(status(page)).toHaveText('Online')

  await choose(page, 'Ben', 'Viewer')
  await expect(power(other, 'Stop')).toHaveCount(0)
  await expect(status(other)).toHaveText('Online')

  await page.getByRole('button', { name: 'Remove Ben' }).click()
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(person(page, 'Ben')).toHaveCount(0)
  await expect(serverLink(other, 'Meadow')).toHaveCount(0)

  // Invited again, Ben goes by himself.
  await invite(page, ben, 'Administrator')
  const place = connectionLink(other, new URL(service.baseUrl).host)
  await expect(place).toHaveAccessibleName(/1 unread$/)
  await place.click()
  await other.getByRole('button', { name: 'Accept' }).click()
  await serverLink(other, 'Meadow').click()
  await openSection(other, 'Access')
  await expect(person(other, 'Ben')).toContainText('you')
  await other.getByRole('button', { name: 'Leave' }).click()
  await dialog(other).getByRole('button', { name: 'Leave' }).click()
  await expect(serverLink(other, 'Meadow')).toHaveCount(0)
  await expect(person(page, 'Ben')).toHaveCount(0)
})

test('who has access can be read in both themes and reached by keyboard', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const [ann, ben, cleo, dora] = [
    await service.account('Ann'),
    await service.account('Ben'),
    await service.account('Cleo'),
    await service.account('Dora'),
  ]
  const serverId = await service.server(ann.token, 'Meadow')
  const grant = (token: string, email: string, scopes: string[]) =>
    service.must('POST', `/servers/access/${serverId}`, { token, body: { email, scopes } })
  const accept = async (token: string) => {
    const [{ id }] = (await service.must('GET', '/invitations', { token })).items
    await service.must('POST', `/invitations/${id}`, { token, body: { accept: true } })
  }
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Access')
  await expect(page.getByRole('heading', { name: 'Nobody else has access' })).toBeVisible()
  await looks.at(page, 'access, alone')
  await grant(ann.token, ben.email, ['access.read', 'access.write', 'console.read', 'control.start'])
  await accept(ben.token)
  await grant(ann.token, cleo.email, ['files.write', 'files.read'])
  await accept(cleo.token)
  await grant(ann.token, 'somebody.with.a.rather.long.address@minecraft.example.org', ['console.read'])
  await expect(person(page, 'Cleo')).toBeVisible()
  await looks.at(page, 'access')
  await page.getByRole('button', { name: 'Invite', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Email address')).toBeFocused()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true')
  await looks.at(page, 'access, invite with an error')
  await dialog(page).getByLabel('Role').selectOption('Administrator')
  await dialog(page).getByText('Details', { exact: true }).click()
  await looks.atDialog(page, 'access, invite an administrator')
  await page.getByRole('button', { name: 'Remove Ben' }).click()
  await looks.atDialog(page, 'access, remove')

  const { page: other } = await openPanel({ data: 'other' })
  await signIn(other, service.baseUrl, ben)
  await serverLink(other, 'Meadow').click()
  await openSection(other, 'Access')
  await expect(person(other, 'Cleo')).toBeVisible()
  await looks.at(other, 'access, as a member')
  await other.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog(other).getByText('Details', { exact: true }).click()
  await looks.atDialog(other, 'access, invite as a member')
  await grant(ann.token, dora.email, ['files.write', 'files.read', 'control.start'])
  const { page: third } = await openPanel({ data: 'third' })
  await signIn(third, service.baseUrl, dora)
  await expect(third.getByRole('button', { name: 'Accept' })).toBeVisible()
  await looks.at(third, 'access, invitation')
  // Who may not see who has access can leave all the same.
  await third.getByRole('button', { name: 'Accept' }).click()
  await serverLink(third, 'Meadow').click()
  await openSection(third, 'Access')
  await expect(third.getByRole('heading', { name: 'This server is shared with you' })).toBeVisible()
  await expect(third.getByRole('button', { name: 'Leave' })).toBeVisible()
  await looks.at(third, 'access, not to be seen')
  looks.expectNothing()
})

test('an invited moderator meets no refusal, and reads one sentence where a link leads too far', async ({
  openPanel,
  startService,
}) => {
  const looks = new Looks()
  const service = await startService()
  const [ann, ben] = [await service.account('Ann'), await service.account('Ben')]
  const serverId = await service.server(ann.token, 'Meadow')
  const body = { email: ben.email, scopes: presets.moderator }
  await service.must('POST', `/servers/access/${serverId}`, { token: ann.token, body })
  const [{ id }] = (await service.must('GET', '/invitations', { token: ben.token })).items
  await service.must('POST', `/invitations/${id}`, { token: ben.token, body: { accept: true } })
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ben)
  await serverLink(page, 'Meadow').click()

  const serverTabs = page.getByRole('tablist', { name: 'Server sections' }).getByRole('tab')
  await expect(serverTabs).toHaveText(['Overview', 'Console', 'Players', 'Settings'])
  const meetsNoRefusal = async () => {
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByText(/isn’t allowed|without the permission/)).toHaveCount(0)
  }
  // By their keys: what is first, second and so on is what is there.
  for (const [at, name] of ['Overview', 'Console', 'Players', 'Settings'].entries()) {
    await page.keyboard.press(`Alt+${at + 1}`)
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    await meetsNoRefusal()
  }
  const sections = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link')
  await expect(sections).toHaveText(['Access', 'Activity'])
  for (const name of ['Access', 'Activity']) {
    await section(page, name).click()
    await expect(section(page, name)).toHaveAttribute('aria-current', 'page')
    await meetsNoRefusal()
    await looks.at(page, `moderator, ${name}`)
  }

  const place = page.url().replace(/settings.*$/, '')
  for (const [link, sentence] of [
    ['files', 'The owner hasn’t given you access to files.'],
    ['extensions', 'This server’s software runs no plugins or mods.'],
    ['software', 'The owner hasn’t let you change the software.'],
    ['settings/general', 'The owner hasn’t given you access to the settings.'],
    ['settings/danger', 'Only the owner can duplicate or delete this server.'],
  ] as const) {
    await page.goto(`${place}${link}`)
    await expect(page.getByRole('heading', { name: sentence })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await page.goto(`${place}files`)
  await expect(tab(page, 'Overview')).toHaveAttribute('tabindex', '0')
  await looks.at(page, 'moderator, a link to files')
  // An address from before leads to the section that its tab became.
  await page.goto(`${place}activity`)
  await expect(section(page, 'Activity')).toHaveAttribute('aria-current', 'page')
  looks.expectNothing()
})
