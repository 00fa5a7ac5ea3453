import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { expect, test } from './fixtures/journey.ts'
import { serverLink } from './fixtures/views.ts'

interface Frame {
  id?: number
  name?: string
  input?: { view?: string }
  event?: string
}

test('what a page asks first is asked once, while its script is on its way, and what was told meanwhile is shown @browser', async ({
  openPanel,
  context,
  guard,
  place,
}) => {
  const service = await serviceOfMany(1, 3)
  place.atEnd(() => service.close())
  const { page, address } = await openPanel()
  await page.evaluate(
    (baseUrl) => window.panel.call('connections.use-token', { baseUrl, token: 'a-token' }),
    service.baseUrl,
  )
  await expect(serverLink(page, 'Service 1 server 000')).toBeVisible()

  const other = await context.newPage()
  await guard.watch(other)
  const scriptIsWanted = Promise.withResolvers<void>()
  await other.route(/first-screen-.*\.js$/, async (route) => {
    await scriptIsWanted.promise
    await route.continue()
  })
  const asked = new Map<number, string>()
  const serversAreThere = Promise.withResolvers<void>()
  const themeWasTold = Promise.withResolvers<void>()
  other.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const { id = 0, name = '', input } = JSON.parse(payload.toString()) as Frame
      asked.set(id, [name, input?.view].filter(Boolean).join(' '))
    })
    socket.on('framereceived', ({ payload }) => {
      const { id, event } = JSON.parse(payload.toString()) as Frame
      if (id !== undefined && asked.get(id) === 'view.read servers.list') serversAreThere.resolve()
      if (event === 'settings') themeWasTold.resolve()
    })
  })
  await other.goto(new URL('/', address).href, { waitUntil: 'commit' })
  await serversAreThere.promise
  const first = ['app.info', 'connections.list', 'rail.read', 'settings.read', 'view.read servers.list']
  expect([...asked.values()].sort()).toEqual(first)

  // The answer that the page will take says otherwise by now.
  await page.evaluate(() => window.panel.call('settings.change', { theme: 'dark' }))
  await themeWasTold.promise
  scriptIsWanted.resolve()
  await expect(serverLink(other, 'Service 1 server 000')).toBeVisible()
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect([...asked.values()].filter((question) => first.includes(question)).sort()).toEqual(first)
})
