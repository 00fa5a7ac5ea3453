import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Listener, listen, reply } from '../api/test-listener.ts'
import { createPanel, type Panel } from '../panel.ts'
import { openWindow, testPorts } from '../panel.fixture.ts'

let folder: string
let panel: Panel
let service: Listener

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-'))
  panel = await createPanel(testPorts(folder))
  service = await listen((request, response) => {
    const path = request.path.replace(/\?.*/, '')
    if (path === '/users/me') return reply(response, 200, { _id: 1, mail: 'ann@example.com' })
    if (path === '/servers') return reply(response, 200, { payload: { machines: [{ uid: 5, label: 'S' }] } })
    reply(response, 404, { error: { code: 'route.not-found', message: 'No.' } })
  })
})
afterEach(async () => {
  await panel.close()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function signedIn() {
  const window = openWindow(panel)
  const { id: connectionId } = await window.call('connections.use-token', {
    baseUrl: service.baseUrl,
    token: 't',
  })
  return { ...window, connectionId }
}

const mapped = () =>
  JSON.stringify({
    baseUrl: service.baseUrl,
    headers: ['X-Key'],
    operations: {
      'servers.list': { items: 'payload.machines', answer: { id: 'uid', name: 'label' } },
      'servers.status': { method: 'POST' },
      'servers.power': { path: '/servers/:serverId/power' },
    },
  })

it('what differs is told over restarts, cleared by hand, and wiped with the connection', async () => {
  const { call, connectionId } = await signedIn()
  await call('connections.retry', { connectionId })
  const seen = await call('service.drift', { connectionId })
  expect(seen).toContainEqual(
    expect.objectContaining({
      operation: 'account.me',
      method: 'GET',
      path: '/users/me',
      field: 'id',
      expected: 'text',
      found: 'number',
      foundAs: '_id',
    }),
  )
  expect(JSON.stringify(seen)).not.toContain('ann@')
  await panel.close()
  panel = await createPanel(testPorts(folder))
  const later = openWindow(panel)
  expect((await later.call('service.drift', { connectionId })).length).toBeGreaterThanOrEqual(seen.length)
  await later.call('service.clear-drift', { connectionId })
  expect(await later.call('service.drift', { connectionId })).toEqual([])
})

it('a profile is proposed from what was seen, tried by reads alone, kept, exported and removed', async () => {
  const { call, connectionId } = await signedIn()
  await call('connections.retry', { connectionId })
  const before = await call('service.profile', { connectionId })
  expect(before).toMatchObject({ kept: false, headers: [], faults: [] })
  expect(JSON.parse(before.proposed ?? '')).toMatchObject({
    operations: { 'account.me': { answer: { id: '_id', email: 'mail' } } },
  })

  const asked = service.seen.length
  const checks = await call('service.check-profile', { connectionId, text: mapped() })
  expect(Object.fromEntries(checks.map(({ operation, outcome }) => [operation, outcome.kind]))).toEqual({
    'account.me': 'read',
    'servers.list': 'read',
    'servers.status': 'not-asked',
    'servers.power': 'not-asked',
  })
  expect(service.seen.slice(asked).every(({ method }) => method === 'GET')).toBe(true)

  await call('service.save-profile', { connectionId, text: mapped() })
  await call('service.set-header', { connectionId, name: 'x-key', value: 'secret-value' })
  const kept = await call('service.profile', { connectionId })
  expect(kept).toMatchObject({ kept: true, headers: [{ name: 'X-Key', set: true }] })
  expect(JSON.stringify(kept)).not.toContain('secret-value')
  await call('connections.retry', { connectionId })
  expect(service.seen.at(-1)?.headers['x-key']).toBe('secret-value')
  for (const name of await readdir(join(folder, 'profiles')))
    expect(await readFile(join(folder, 'profiles', name), 'utf8')).not.toContain('secret-value')

  await call('service.remove-profile', { connectionId })
  expect(await call('service.profile', { connectionId })).toMatchObject({ kept: false })
  expect(await readdir(join(folder, 'profiles'))).toEqual([])
})

it('a profile that cannot be used says what is wrong and breaks nothing', async () => {
  const { call, connectionId } = await signedIn()
  const save = (text: string) => call('service.save-profile', { connectionId, text })
  await expect(save('{')).rejects.toMatchObject({ problem: { code: 'invalid' } })
  const other = JSON.stringify({ baseUrl: 'https://other.example/api/v1' })
  await expect(save(other)).rejects.toMatchObject({
    problem: { fields: { text: [expect.stringMatching('other')] } },
  })
  const nameless = call('service.set-header', { connectionId, name: 'X-None', value: 'x' })
  await expect(nameless).rejects.toMatchObject({ problem: { code: 'invalid' } })
  await mkdir(join(folder, 'profiles'), { recursive: true })
  await writeFile(join(folder, 'profiles', 'bad.json'), '{"baseUrl": 7')
  const { faults } = await call('service.profile', { connectionId })
  expect(faults).toEqual([expect.stringMatching(/^bad\.json: /)])
  expect((await call('connections.retry', { connectionId })).state.kind).toBe('ready')
})
