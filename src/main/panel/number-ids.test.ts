import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { memoryStore, type SecretStore } from '../accounts/secret-store.ts'
import { type TestResponder, listen, reply } from '../api/test-listener.ts'
import { openWindow, testPorts } from './panel.fixture.ts'
import { createPanel } from './panel.ts'

/** A service that has numbers as ids, and refuses them as texts. */
const numbered =
  (state: { away: boolean; ids: 'number' | 'text' }): TestResponder =>
  (request, response) => {
    if (state.away) return void response.destroy()
    const path = request.path.replace(/\?.*/, '')
    if (path === '/users/me') return reply(response, 200, { id: 1, email: 'ann@example.com' })
    if (path === '/servers') return reply(response, 200, { items: [{ id: 5, name: 'S' }], nextCursor: null })
    const id = state.ids === 'number' ? 7 : '7'
    if (path === '/servers/files/trash/5')
      return reply(response, 200, { items: [{ id, path: 'a', kind: 'file' }], nextCursor: null })
    if (request.method !== 'POST') return reply(response, 404, {})
    const { ids } = JSON.parse(request.body) as { ids: unknown[] }
    if (ids.some((one) => typeof one !== state.ids.replace('text', 'string')))
      return reply(response, 422, { error: { code: 'ids.kind', message: 'Wrong kind of id.' } })
    reply(response, 200, { results: [] })
  }

/** A keychain that outlives a panel. */
function keychain(): SecretStore {
  const store = memoryStore('test')
  return {
    ...store,
    async read(id) {
      const found = await store.read(id)
      return found.kind === 'found' ? { ...found, kept: 'keychain' } : found
    },
    write: async (id, token) => {
      await store.write(id, token)
      return 'keychain'
    },
    close: () => undefined,
  }
}

async function start() {
  const state: Parameters<typeof numbered>[0] = { away: false, ids: 'number' }
  const folder = await mkdtemp(join(tmpdir(), 'number-ids-'))
  const service = await listen(numbered(state))
  const secrets = keychain()
  const open = () => createPanel({ ...testPorts(folder), secrets })
  const running = { panel: await open() }
  onTestFinished(async () => {
    await running.panel.close()
    await service.stop()
    await rm(folder, { recursive: true })
  })
  const { call } = openWindow(running.panel)
  const { id: connectionId } = await call('connections.use-token', { baseUrl: service.baseUrl, token: 't' })
  return {
    ...{ state, service, connectionId },
    at: { connectionId, params: { serverId: '5' } },
    window: () => openWindow(running.panel),
    async restart() {
      await running.panel.close()
      running.panel = await open()
    },
  }
}

it('ids that came as numbers go back so right after a start, before anything was read', async () => {
  const { state, service, connectionId, at, window, restart } = await start()
  await window().view('files.trash', at, true)
  state.away = true
  await restart()
  const later = window()
  const cached = await later.view('files.trash', at)
  expect(cached.value?.items).toMatchObject([{ id: '7' }])
  // What was asked behind it has failed before the service is back: a write would wait for it, and fail with it.
  expect((await later.view('files.trash', at, true)).problem).not.toBeNull()
  state.away = false
  const asked = service.seen.length
  const restored = { connectionId, serverId: '5', ids: ['7'], conflict: 'refuse' as const }
  await later.call('files.restore', restored)
  const sent = service.seen.slice(asked).filter(({ method }) => method === 'POST')
  expect(sent.map(({ body }) => (JSON.parse(body) as { ids: unknown }).ids)).toEqual([[7]])
})

it('ids that come as texts since go back as texts, over restarts too', async () => {
  const { state, service, connectionId, at, window, restart } = await start()
  await window().view('files.trash', at, true)
  await restart()
  state.ids = 'text'
  await window().view('files.trash', at, true)
  const restored = { connectionId, serverId: '5', ids: ['7'], conflict: 'refuse' as const }
  // A service that refuses them would be heard.
  await window().call('files.restore', restored)
  await restart()
  await window().call('files.restore', restored)
  const sent = service.seen.filter(({ method }) => method === 'POST')
  expect(sent.map(({ body }) => (JSON.parse(body) as { ids: unknown }).ids)).toEqual([['7'], ['7']])
})
