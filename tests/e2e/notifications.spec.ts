import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { Looks } from './fixtures/looks.ts'
import { power, serverLink, signIn, tab } from './fixtures/views.ts'

// Nothing is half way to its color when it is looked at.
test.use({ sharesPanel: true, contextOptions: { reducedMotion: 'reduce' } })

const entry = (page: Page): Locator => page.getByRole('link', { name: /^Notifications/ })
const told = (page: Page, title: string): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title })

test('what happens elsewhere is told in the panel at once, and leads to its place', async ({
  openPanel,
  startService,
}) => {
  const service = await startService({ flood: true })
  const [ann, ben] = [await service.account('Ann'), await service.account('Ben')]
  const serverId = await service.server(ann.token, 'Meadow', 'flood')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ben)
  await entry(page).click()
  await expect(page.getByRole('heading', { name: 'No notifications' })).toBeVisible()
  const looks = new Looks()
  await looks.at(page, 'no notifications')

  // An invitation arrives without anything being reopened, and leads to where it is answered.
  const scopes = ['server.read', 'control.start', 'control.stop', 'console.read']
  await service.must('POST', `/servers/access/${serverId}`, {
    token: ann.token,
    body: { email: ben.email, scopes },
  })
  await expect(entry(page)).toHaveAccessibleName(/1 unread/)
  await told(page, 'Ann invites you to Meadow').getByRole('link').click()
  await expect(page.getByText('Ann wants to share the server Meadow with you.')).toBeVisible()
  await expect(entry(page)).not.toHaveAccessibleName(/unread/)
  await page.getByRole('button', { name: 'Accept' }).click()
  await serverLink(page, 'Meadow').click()

  // Somebody else starts it, it crashes, and somebody else starts and stops it again.
  await service.online(ann.token, serverId)
  await expect(page.getByText('Ann started Meadow')).toBeVisible()
  await service.command(ann.token, serverId, 'crash 7')
  await expect(page.getByText('Meadow crashed').first()).toBeVisible()
  await service.online(ann.token, serverId)
  await service.must('POST', `/servers/power/${serverId}`, { token: ann.token, body: { action: 'stop' } })
  await entry(page).click()
  await expect(told(page, 'Ann stopped Meadow')).toBeVisible()
  await expect(told(page, 'Meadow crashed')).toContainText('exit code 7')
  await looks.at(page, 'notifications')
  // In the narrow rail the counts lie on what they count.
  await page.setViewportSize({ width: 720, height: 600 })
  const counts = page.getByRole('complementary').getByText(/ unread$/)
  for (const count of await counts.all())
    expect((await count.locator('..').boundingBox())?.x ?? Infinity).toBeLessThan(56)
  await page.setViewportSize({ width: 1280, height: 800 })
  await told(page, 'Meadow crashed').getByRole('link').click()
  await expect(tab(page, 'Console')).toHaveAttribute('aria-selected', 'true')
  await entry(page).click()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(entry(page)).not.toHaveAccessibleName(/unread/)

  // What is muted is told no more.
  await page.getByRole('button', { name: 'Notification settings' }).click()
  await looks.at(page, 'notification settings')
  await page.getByRole('checkbox', { name: 'Someone else starting a server' }).uncheck()
  await expect(page.getByRole('checkbox', { name: 'Someone else starting a server' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await service.online(ann.token, serverId)
  await service.command(ann.token, serverId, 'crash 8')
  await expect(entry(page)).toHaveAccessibleName(/1 unread/)
  await expect(power(page, 'Start')).toHaveCount(0)

  // Without the service what was told stays readable.
  await service.program.end()
  await expect(told(page, 'Meadow crashed').first()).toBeVisible()
  await expect(
    page
      .getByRole('main')
      .getByText(/^as of|^As of/)
      .first(),
  ).toBeVisible({ timeout: 30_000 })
})

test('@browser where the stream is refused, notifications are asked for', async ({
  openPanel,
  startService,
}) => {
  const service = await startService()
  const [ann, ben] = [await service.account('Ann'), await service.account('Ben')]
  const serverId = await service.server(ann.token, 'Meadow')
  // All streams that the account may have are taken, so that the panel's own are refused.
  const closing = new AbortController()
  const streams = Array.from({ length: 32 }, () =>
    fetch(`${service.baseUrl}/users/me/events`, {
      headers: { Authorization: `Bearer ${ben.token}` },
      signal: closing.signal,
    }),
  )
  expect((await Promise.all(streams)).map(({ status }) => status)).toEqual(streams.map(() => 200))
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ben)
  await expect(page.getByText('No servers here yet')).toBeVisible()
  await service.must('POST', `/servers/access/${serverId}`, {
    token: ann.token,
    body: { email: ben.email, scopes: ['server.read'] },
  })
  await expect(entry(page)).toHaveAccessibleName(/1 unread/, { timeout: 60_000 })
  closing.abort()
})
