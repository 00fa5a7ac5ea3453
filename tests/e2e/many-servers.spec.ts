import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { expect, test } from './fixtures/journey.ts'
import { serverLink } from './fixtures/views.ts'

test('of 300 servers only those near what is seen are in the page, and all can be reached by wheel, search and keys', async ({
  openPanel,
}) => {
  const service = await serviceOfMany(1, 300)
  try {
    const { page } = await openPanel()
    await page.evaluate(
      (baseUrl) => window.panel.call('connections.use-token', { baseUrl, token: 'a-token' }),
      service.baseUrl,
    )
    const rail = page.getByRole('navigation', { name: 'Servers' })
    const table = page.getByRole('table')
    await expect(serverLink(page, 'Service 1 server 000')).toBeVisible()
    await expect(table).toHaveAttribute('aria-rowcount', '301')
    expect(await page.locator('*').count()).toBeLessThan(2000)

    // To the end of the rail by wheel: the last one is there, and nothing has moved.
    await rail.hover()
    await page.mouse.wheel(0, 1_000_000)
    await expect(serverLink(page, 'Service 1 server 299')).toBeInViewport()
    await expect(serverLink(page, 'Service 1 server 000')).toHaveCount(0)
    const last = rail.getByRole('listitem').last()
    await expect(last).toHaveAttribute('aria-posinset', '300')
    await expect(last).toHaveAttribute('aria-setsize', '300')

    // The table is filtered by a field of its own.
    const filter = page.getByRole('searchbox', { name: 'Filter servers' })
    await filter.fill('server 29')
    await expect(table).toHaveAttribute('aria-rowcount', '11')
    await filter.fill('')

    // The search opens the palette, which finds any server.
    await rail.getByRole('button', { name: 'Search' }).click()
    await page.keyboard.type('server 150')
    await expect(page.getByRole('option').first()).toContainText('Service 1 server 150')
    await page.keyboard.press('Escape')
    await rail.hover()
    await page.mouse.wheel(0, -1_000_000)
    await expect(serverLink(page, 'Service 1 server 000')).toBeInViewport()

    // By keys alone, further than what was drawn at first.
    await serverLink(page, 'Service 1 server 000').focus()
    for (let at = 1; at <= 80; at++) {
      await page.keyboard.press('ArrowDown')
      await expect(serverLink(page, `Service 1 server ${String(at).padStart(3, '0')}`)).toBeFocused()
    }

    // In the table, by the wheel.
    await table.hover()
    await page.mouse.wheel(0, 1_000_000)
    await expect(table.getByRole('link', { name: 'Service 1 server 299' })).toBeInViewport()
    expect(await page.locator('*').count()).toBeLessThan(2000)
  } finally {
    await service.close()
  }
})
