import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import type { Account, Service } from './fixtures/service.ts'
import { join } from './fixtures/player.ts'
import { openSection, power, serverLink, signIn, status, tab } from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

const entry = (page: Page, text: RegExp): Locator =>
  page
    .getByRole('region', { name: 'What was done, newest first' })
    .getByRole('listitem')
    .filter({ hasText: text })

/** Shares a server as the API does it. */
async function share(service: Service, serverId: string, { from, to }: { from: Account; to: Account }) {
  const scopes = ['server.read', 'activity.read', 'files.read', 'files.write', 'access.read', 'players.read']
  const invitation = { token: from.token, body: { email: to.email, scopes } }
  await service.must('POST', `/servers/access/${serverId}`, invitation)
  const [{ id }] = (await service.must('GET', '/invitations', { token: to.token })).items
  await service.must('POST', `/invitations/${id}`, { token: to.token, body: { accept: true } })
}

/** How far things were moved on the page since it was loaded, as browsers count it. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum)))
      }),
  )

/** Looks at the overview of a server on which Alex plays, loaded anew: it is filled, and nothing has moved. */
async function seeOverview(page: Page, looks: Looks): Promise<void> {
  await tab(page, 'Overview').click()
  await page.reload()
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(part('Online').getByRole('button', { name: 'Alex' })).toBeVisible()
  await expect(part('Activity')).toContainText('r.129')
  await expect(page.getByRole('main').getByText(/ free$/)).toBeVisible()
  await expect(part('Console')).toContainText('Alex')
  expect(await shiftOf(page)).toBe(0)
  await part('Console').getByLabel('Command', { exact: true }).fill('say hello from here')
  await page.keyboard.press('Enter')
  await expect(part('Console')).toContainText('[Server] hello from here')
  await expect(part('Activity')).toContainText('You ran say hello from here')
  await looks.at(page, 'overview, filled')
  await openSection(page, 'Activity')
}

/** Saves the log as a file, and reads it. */
async function exported(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  const notice = page.getByText(/The activity log was saved as /)
  await expect(notice).toBeVisible()
  const [, file = ''] = /saved as (.*)\.$/.exec((await notice.textContent()) ?? '') ?? []
  return await readFile(file, 'utf8')
}

test('two people act on a server, and both see who did what, from where, and what was refused', async ({
  openPanel,
  startService,
  place,
}) => {
  const looks = new Looks()
  const service = await startService()
  const [ann, ben] = [await service.account('Ann'), await service.account('Ben')]
  const serverId = await service.server(ann.token, 'Meadow')
  await share(service, serverId, { from: ann, to: ben })

  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Meadow').click()
  await openSection(page, 'Activity')
  await expect(entry(page, /Ben accepted the invitation/)).toBeVisible()
  const { page: other } = await openPanel({ data: 'other' })
  await signIn(other, service.baseUrl, ben)
  await serverLink(other, 'Meadow').click()
  await openSection(other, 'Activity')
  await expect(entry(other, /Ann invited ben@/)).toBeVisible()

  // What one of them does the other one sees, without asking.
  await power(page, 'Start').click()
  await expect(entry(other, /Ann started the server.*127\.0\.0\.1/)).toBeVisible()
  await expect(status(page)).toHaveText('Online')
  const folder = (path: string) =>
    service.must('POST', `/servers/files/folder/${serverId}`, { token: ben.token, body: { path } })
  await folder('plugins/shop')
  await expect(entry(page, /Ben created the folder plugins\/shop/)).toBeVisible()
  await expect(entry(other, /You created the folder plugins\/shop/)).toBeVisible()
  await service.command(ann.token, serverId, 'login a-secret-password')
  await expect(entry(other, /Ann ran login/)).toBeVisible()
  await expect(other.getByText('a-secret-password')).toHaveCount(0)
  const act = { action: 'ban', names: ['Griefer'] }
  await service.must('POST', `/servers/players/act/${serverId}`, { token: ann.token, body: act })
  const refused = { token: ben.token, body: { action: 'stop' } }
  await expect(service.must('POST', `/servers/power/${serverId}`, refused)).rejects.toThrow()
  await expect(entry(page, /Ben tried to stop the server.*Refused: no permission/)).toBeVisible()
  const { address } = await service.must('GET', `/servers/${serverId}`, { token: ann.token })
  await join(place, `${address.host}:${address.port}`, 'Alex')
  for (let at = 0; at < 130; at++) await folder(`world/region/r.${at}`)
  await expect(entry(page, /r\.129/)).toBeVisible()
  await looks.at(page, 'activity')

  await seeOverview(page, looks)

  // Older pages come when they are scrolled to.
  const region = page.getByRole('region', { name: 'What was done, newest first' })
  await region.hover()
  await expect(async () => {
    await page.mouse.wheel(0, 10_000)
    await expect(entry(page, /You created the server/)).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 60_000 })

  // A player that was meant leads to what can be done with them.
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Players')
  await expect(entry(page, /created the folder/)).toHaveCount(0)
  await page.getByRole('button', { name: 'What can be done with Griefer' }).click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: /Pardon|Lift|Unban/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Everything')
  await page.getByRole('combobox', { name: 'Person' }).selectOption('Ben')
  await expect(entry(page, /You /)).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Commands')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await looks.at(page, 'activity, nothing fits')
  await page.getByRole('button', { name: 'Show everything' }).click()

  const csv = await exported(page)
  expect(csv.split('\r\n').length).toBeGreaterThan(130)
  expect(csv).not.toContain('a-secret-password')

  // Who is removed stays named.
  const { id } = await service.must('GET', '/users/me', { token: ben.token })
  await service.must('DELETE', `/servers/access/${serverId}/${id}`, { token: ann.token })
  await expect(entry(page, /You removed Ben from the server/)).toBeVisible()
  await expect(serverLink(other, 'Meadow')).toHaveCount(0)
  await expect(entry(page, /Ben.*r\.129/)).toBeVisible()
})
