import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { expect, test } from './fixtures/journey.ts'
import { serverLink } from './fixtures/views.ts'

interface Frame {
  id?: number
  name?: string
  input?: { view?: string }
}

test('what a page asks first is asked once @browser', async ({ openPanel, context, guard, place }) => {
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
  const asked = new Map<number, string>()
  other.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const { id = 0, name = '', input } = JSON.parse(payload.toString()) as Frame
      asked.set(id, [name, input?.view].filter(Boolean).join(' '))
    })
  })
  await other.goto(new URL('/', address).href)
  await expect(serverLink(other, 'Service 1 server 000')).toBeVisible()
  const first = ['app.info', 'connections.list', 'rail.read', 'settings.read', 'view.read servers.list']
  expect([...asked.values()].filter((question) => first.includes(question)).sort()).toEqual(first)
})
