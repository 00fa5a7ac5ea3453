import { expect, test } from './fixtures/journey.ts'
import { startWeb } from './fixtures/panel.ts'
import { connectionLine, railPart, serverLink, signIn } from './fixtures/views.ts'

// A browser's window outlives the panel behind it.

test('a window whose panel is gone says so and what to do, and its old address leads nowhere @browser', async ({
  openPanel,
  startService,
  guard,
  place,
}) => {
  guard.allow(/WebSocket connection to .* failed/)
  guard.allow(/status of 403/)
  // The page loads its other views in the background.
  guard.allow(/ERR_CONNECTION_REFUSED/)
  const service = await startService()
  const ann = await service.account('Ann')
  await service.server(ann.token, 'Far away')
  const { page, data, address, kill } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await expect(serverLink(page, 'Far away')).toBeVisible()
  await expect(page.getByRole('main').getByText('Far away')).toBeVisible()
  const port = Number(new URL(address).port)
  await kill()
  await expect(connectionLine(page)).toContainText('this window lost its connection to the panel')
  await expect(connectionLine(page)).toContainText('open the address it prints')
  await expect(serverLink(page, 'Far away')).toBeVisible()

  // Started again on the same port it is another session: the window is not let in by itself.
  const again = startWeb(place, { data, port })
  const newAddress = await again.says(/^Panel: (\S+)$/m)
  await page.reload()
  await expect(page.locator('body')).toContainText(
    'Open the panel with the address it printed when it was started.',
  )
  await page.goto(address)
  await expect(page.locator('body')).toContainText('Start the panel again to get a new address.')
  await page.goto(newAddress)
  await expect(railPart(page, new URL(service.baseUrl).host)).toContainText('Far away')
  // The code is used up, and no longer stands in the address.
  expect(page.url()).toBe(`http://127.0.0.1:${port}/`)
})

test('a second tab shows the same panel @browser', async ({ openPanel, startService, context, guard }) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const { page, address } = await openPanel()
  const other = await context.newPage()
  await guard.watch(other)
  await other.goto(new URL('/', address).href)
  await expect(other.getByRole('heading', { name: 'Wheelhouse' })).toBeVisible()
  await signIn(page, service.baseUrl, ann)
  await expect(railPart(other, new URL(service.baseUrl).host)).toBeVisible()
})
