import { answerJson, oddService } from '../doubles/services/odd-service.ts'
import { expect, test, type OpenPanel } from './fixtures/journey.ts'
import type { Place } from './fixtures/place.ts'
import { serverLink, signIn, tab } from './fixtures/views.ts'

test.use({ sharesPanel: true })

const user = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
const server = { id: 'a', name: 'Far away', status: 'offline' }

/** A service with one server that lacks what is read at these addresses, and a panel that shows the server. */
async function openLacking(addresses: readonly string[], openPanel: OpenPanel, place: Place) {
  const odd = await oddService({
    'POST /auth/login': (_request, response) =>
      answerJson(response, { token: 'odd-token-of-the-journey', user }),
    'GET /users/me': (_request, response) => answerJson(response, user),
    'GET /servers': (_request, response) => answerJson(response, { items: [server], nextCursor: null }),
    'GET /servers/a': (_request, response) => answerJson(response, server),
    'GET /servers/status/a': (_request, response) => answerJson(response, { status: 'offline' }),
  })
  for (const address of addresses)
    odd.routes[`GET ${address}`] = (_request, response) => answerJson(response, {}, 501)
  place.atEnd(() => odd.close())
  const { page } = await openPanel()
  await signIn(page, odd.baseUrl, { email: user.email, password: 'Ann likes long passwords' })
  await serverLink(page, 'Far away').click()
  return { page, routes: odd.routes }
}

test('what a service does not offer is said by every tab alike, and can be asked for again', async ({
  openPanel,
  place,
}) => {
  const areas = { Extensions: 'extensions', Players: 'players' }
  const lacks = ['/servers/extensions/a', '/servers/players/a', '/servers/players/stats/a']
  const { page } = await openLacking(lacks, openPanel, place)
  for (const [name, words] of Object.entries(areas)) {
    await tab(page, name).click()
    const panel = page.getByRole('tabpanel', { name })
    await expect(panel.getByRole('heading', { name: `This service does not offer ${words}` })).toBeVisible()
    await panel.getByRole('button', { name: 'Check again' }).click()
    await expect(panel.getByRole('button', { name: 'Check again' })).not.toHaveAttribute('aria-busy')
    await expect(panel.getByRole('heading', { name: `This service does not offer ${words}` })).toBeVisible()
  }
})

test('asked again, a service that offers it now is believed', async ({ openPanel, place }) => {
  const { page, routes } = await openLacking(['/servers/files/a'], openPanel, place)
  await tab(page, 'Files').click()
  await expect(page.getByRole('heading', { name: 'This service does not offer files' })).toBeVisible()
  routes['GET /servers/files/a'] = (_request, response) =>
    answerJson(response, { items: [], nextCursor: null })
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('heading', { name: 'This folder is empty' })).toBeVisible()
})
