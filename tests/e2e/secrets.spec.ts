import type { Page } from '@playwright/test'
import { KEYCHAIN_SERVICE } from '../../src/main/accounts/keychain/protocol.ts'
import { filesWith } from './fixtures/files-with.ts'
import { expect, test } from './fixtures/journey.ts'
import {
  connectionLine,
  goToSignIn,
  openConsole,
  row,
  sendCommand,
  serverLink,
  signIn,
} from './fixtures/views.ts'

/** Everything that reaches or leaves a page. */
interface Heard {
  urls: string[]
  received: string[]
  sent: string[]
}

/** Listens to all tabs of a browser from now on. */
function listen(page: Page): Heard {
  const heard: Heard = { urls: [], received: [], sent: [] }
  page.on('request', (request) => heard.urls.push(request.url()))
  page.on('framenavigated', (frame) => heard.urls.push(frame.url()))
  page.on('websocket', (socket) => {
    heard.urls.push(socket.url())
    socket.on('framereceived', ({ payload }) => heard.received.push(String(payload)))
    socket.on('framesent', ({ payload }) => heard.sent.push(String(payload)))
  })
  return heard
}

/** The tokens that lie in the keychain for the connections of a panel. */
async function keptTokens(page: Page): Promise<string[]> {
  const ids = await page.evaluate(async () => {
    const answer = await window.panel.call('connections.list', undefined)
    return answer.ok ? answer.value.map(({ id }) => id) : []
  })
  const { default: keytar } = await import('keytar')
  // Asked for one by one: while others take theirs away, as other journeys do, keytar ends the program that asks for all.
  const kept = await Promise.all(ids.map((id) => keytar.getPassword(KEYCHAIN_SERVICE, id)))
  return kept.filter((token) => token !== null)
}

/** All that a script in the page could read: the document, what is stored, and what hangs at the window. */
function readable(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const seen = new Set<unknown>()
    const parts: string[] = [document.documentElement.outerHTML, document.cookie, location.href]
    for (const field of document.querySelectorAll('input, textarea'))
      parts.push((field as HTMLInputElement | HTMLTextAreaElement).value)
    parts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }))
    parts.push(JSON.stringify(history.state))
    for (const { name } of await indexedDB.databases()) parts.push(String(name))
    for (const name of await caches.keys()) parts.push(name)
    const walk = (value: unknown, depth: number): void => {
      if (typeof value === 'string') parts.push(value)
      if (typeof value === 'function') parts.push(String(value))
      if (
        typeof value !== 'object' ||
        value === null ||
        depth > 4 ||
        seen.has(value) ||
        value instanceof Node
      )
        return
      seen.add(value)
      for (const key of Object.keys(value)) walk((value as Record<string, unknown>)[key], depth + 1)
    }
    for (const name of Object.getOwnPropertyNames(window))
      walk((window as unknown as Record<string, unknown>)[name], 0)
    for (const one of ['connections.list', 'settings.read', 'app.info'] as const)
      parts.push(JSON.stringify(await window.panel.call(one, undefined)))
    return parts.join('\n')
  })
}

test('a token is in the keychain and nowhere else', async ({ openPanel, startService }) => {
  const service = await startService({ flood: true })
  const ann = await service.account('Ann')
  const ben = await service.account('Ben')
  const serverId = await service.server(ann.token, 'Far away', 'flood')
  await service.online(ann.token, serverId)

  const { page, data, close } = await openPanel()
  const heard = listen(page)
  // The socket stands already: a fresh page has one that is listened to from its first frame.
  await page.reload()
  await signIn(page, service.baseUrl, ann)
  await serverLink(page, 'Far away').click()
  await openConsole(page)
  await sendCommand(page, 'say hello')
  await expect(row(page, '[Server] hello')).toBeVisible()
  await page.getByRole('link', { name: 'All servers' }).click()
  await goToSignIn(page, service.baseUrl)
  await page.getByRole('button', { name: 'Use an access token' }).click()
  await page.getByLabel('Access token').fill(ben.token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: new URL(service.baseUrl).host })).toBeVisible()
  await page.getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByRole('navigation', { name: 'Accounts' })).toContainText(ben.email)
  // A failure or two, since those are what gets written down.
  await serverLink(page, 'Far away').click()
  await service.program.end()
  await expect(connectionLine(page)).toContainText('Offline')
  await page.getByRole('contentinfo').getByRole('button', { name: 'Try again' }).click()
  await service.start()
  await expect(connectionLine(page)).toBeEmpty({ timeout: 30_000 })

  await expect.poll(async () => (await keptTokens(page)).length).toBe(2)
  const own = await keptTokens(page)
  expect(own).toContain(ben.token)
  for (const token of own) expect((await service.call('GET', '/users/me', { token })).status).toBe(200)

  const secrets = [...own, ann.password]
  const text = await readable(page)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  for (const secret of secrets) {
    expect(heard.urls.filter((url) => url.includes(secret))).toEqual([])
    expect(heard.received.filter((frame) => frame.includes(secret))).toEqual([])
  }
  expect(heard.received.length).toBeGreaterThan(10)
  // What the person typed is handed to main once, and is not in the form any more.
  expect(heard.sent.filter((frame) => frame.includes(ben.token))).toHaveLength(1)
  expect(heard.sent.filter((frame) => frame.includes(ann.password))).toHaveLength(1)
  await page.goto(new URL('#/sign-in', page.url()).href)
  await expect(page.getByLabel('Password')).toHaveValue('')

  await close()
  expect(await filesWith(data, secrets)).toEqual([])
  // The service knows them by their hashes only.
  expect(await filesWith(service.data, secrets)).toEqual([])
})
