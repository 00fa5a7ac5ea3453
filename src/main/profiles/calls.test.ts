import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Listener, listen, reply } from '../api/test-listener.ts'
import { openLog } from '../logging/open-log.ts'
import { createPanel, type Panel } from '../panel/panel.ts'
import { openWindow, testPorts } from '../panel/panel.fixture.ts'

let folder: string
let panel: Panel
let service: Listener

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-'))
  panel = await createPanel(testPorts(folder))
  service = await listen((request, response) => {
    const path = request.path.replace(/\?.*/, '')
    const isBob = request.headers.authorization === 'Bearer other'
    if (path === '/users/me')
      return reply(
        response,
        200,
        isBob ? { _id: 2, mail: 'bob@example.com' } : { _id: 1, mail: 'ann@example.com' },
      )
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
  const { places: seen, more } = await call('service.drift', { connectionId })
  expect(more).toBe(false)
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
  expect((await later.call('service.drift', { connectionId })).places.length).toBeGreaterThanOrEqual(
    seen.length,
  )
  await later.call('service.clear-drift', { connectionId })
  expect(await later.call('service.drift', { connectionId })).toEqual({ places: [], more: false })
})

it('what differs in the answers of a sign-in is told of the connection that it makes', async () => {
  const { call, connectionId } = await signedIn()
  const { places } = await call('service.drift', { connectionId })
  expect(places).toContainEqual(expect.objectContaining({ operation: 'account.me', foundAs: 'mail' }))
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
  const typed = { connectionId, text: mapped(), values: [{ name: 'X-Key', value: 'only-tried' }] }
  const tried = await call('service.check-profile', typed)
  const checks = tried.kind === 'tried' ? tried.checks : []
  expect(Object.fromEntries(checks.map(({ operation, outcome }) => [operation, outcome.kind]))).toEqual({
    'account.me': 'read',
    'servers.list': 'read',
    'servers.status': 'not-asked',
    'servers.power': 'not-asked',
  })
  expect(service.seen.slice(asked).every(({ method }) => method === 'GET')).toBe(true)
  // A value is tried before it is kept, and then it is not kept.
  expect(service.seen.slice(asked).every(({ headers }) => headers['x-key'] === 'only-tried')).toBe(true)
  expect(await call('service.profile', { connectionId })).toMatchObject({ kept: false, headers: [] })

  const values = [{ name: 'x-key', value: 'secret-value' }]
  expect(await call('service.save-profile', { connectionId, text: mapped(), values })).toEqual({
    kind: 'saved',
  })
  expect(service.seen.at(-1)?.headers['x-key']).toBe('secret-value')
  const kept = await call('service.profile', { connectionId })
  // This test has no keychain.
  expect(kept).toMatchObject({ kept: true, headers: [{ name: 'X-Key', value: 'memory' }] })
  // Saved again without a value, it stays; without the header it goes.
  await call('service.save-profile', { connectionId, text: mapped(), values: [] })
  expect(await call('service.profile', { connectionId })).toMatchObject({ headers: [{ value: 'memory' }] })
  const without = JSON.stringify({ baseUrl: service.baseUrl })
  await call('service.save-profile', { connectionId, text: without, values: [] })
  await call('service.save-profile', { connectionId, text: mapped(), values: [] })
  expect(await call('service.profile', { connectionId })).toMatchObject({ headers: [{ value: 'none' }] })

  await call('service.remove-profile', { connectionId })
  expect(await call('service.profile', { connectionId })).toMatchObject({ kept: false })
  expect(await readdir(join(folder, 'profiles'))).toEqual([])
})

it('a header that is taken out of the file by hand takes its value along, a file that is broken meanwhile does not', async () => {
  const { call, connectionId } = await signedIn()
  const values = [{ name: 'X-Key', value: 'secret-value' }]
  await call('service.save-profile', { connectionId, text: mapped(), values })
  const [name = ''] = await readdir(join(folder, 'profiles'))
  const write = async (text: string) => {
    await writeFile(join(folder, 'profiles', name), text)
    await call('connections.retry', { connectionId })
  }
  const kept = async () => (await call('service.profile', { connectionId })).headers
  await write('{')
  await write(mapped())
  expect(await kept()).toMatchObject([{ value: 'memory' }])
  await write(JSON.stringify({ baseUrl: service.baseUrl }))
  await write(mapped())
  expect(await kept()).toMatchObject([{ value: 'none' }])
})

it('a profile that cannot be used says what is wrong and breaks nothing', async () => {
  const { call, connectionId } = await signedIn()
  const save = async (text: string, values: { name: string; value: string }[] = []) => {
    const saved = await call('service.save-profile', { connectionId, text, values })
    return saved.kind === 'faulty' ? saved.faults.map(({ at, said }) => [at.join(' '), said.text?.key]) : []
  }
  expect(await save('{')).toEqual([['', 'profile.no-json']])
  expect(await save(JSON.stringify({ baseUrl: 'https://other.example/api/v1' }))).toEqual([
    ['baseUrl', 'profile.other-service'],
  ])
  const value = (name: string, value: string) => [{ name, value }]
  expect(await save(mapped(), value('X-None', 'x'))).toEqual([['headers', 'profile.no-header']])
  expect(await save(mapped(), value('X-Key', 'a\r\nb: c'))).toEqual([
    ['headers 0 value', 'profile.header-value'],
  ])
  expect(await save(mapped(), value('X-Key', ' a'))).toEqual([['headers 0 value', 'profile.header-value']])
  expect(await call('service.profile', { connectionId })).toMatchObject({ kept: false })
  await mkdir(join(folder, 'profiles'), { recursive: true })
  await writeFile(join(folder, 'profiles', 'bad.json'), '{"baseUrl": 7')
  const { faults } = await call('service.profile', { connectionId })
  expect(faults).toMatchObject([{ file: 'bad.json', at: [], said: { text: { key: 'profile.no-json' } } }])
  expect((await call('connections.retry', { connectionId })).state.kind).toBe('ready')
})

it('what a header holds is in the keychain alone: in no file, no answer, no event and no log', async () => {
  await panel.close()
  const log = openLog({ folder: join(folder, 'logs') })
  panel = await createPanel({ ...testPorts(folder), log })
  const { call, connectionId, seen } = await signedIn()
  const secret = 'Key-that-nobody-may-see'
  const values = [{ name: 'X-Key', value: secret }]
  const tried = 'Key-that-is-only-tried'
  const answers = [
    await call('service.save-profile', { connectionId, text: mapped(), values }),
    await call('service.profile', { connectionId }),
    await call('service.check-profile', {
      ...{ connectionId, text: mapped(), values: [{ name: 'X-Key', value: tried }] },
    }),
  ]
  log.warn('a header', { text: `x ${secret} y ${tried} z` })
  await panel.close()
  expect(service.seen.some(({ headers }) => headers['x-key'] === secret)).toBe(true)
  expect(JSON.stringify([answers, seen])).not.toMatch(/Key-that/)
  await log.close()
  expect(await readFile(log.path, 'utf8')).toContain('a header')
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (name.isFile())
      expect((await readFile(join(name.parentPath, name.name))).includes('Key-that'), name.name).toBe(false)
  panel = await createPanel(testPorts(folder))
})

it('a profile holds at once for what is shown, and for every account at the service', async () => {
  const { call, view, until, connectionId, seen } = await signedIn()
  const { id: other } = await call('connections.use-token', { baseUrl: service.baseUrl, token: 'other' })
  expect(other).not.toBe(connectionId)
  // What is not offered is not asked for again by itself.
  const off = JSON.stringify({ baseUrl: service.baseUrl, operations: { 'servers.list': { off: true } } })
  await call('service.save-profile', { connectionId, text: off, values: [] })
  for (const id of [connectionId, other])
    expect(await view('servers.list', { connectionId: id }, true)).toMatchObject({
      problem: { code: 'unavailable' },
    })
  const begin = seen.length
  await call('service.save-profile', { connectionId, text: mapped(), values: [] })
  for (const id of [connectionId, other])
    await until(
      'view',
      ({ view: name, connectionId: at, now }) =>
        name === 'servers.list' && at === id && JSON.stringify(now.value ?? '').includes('"id":"5"'),
      begin,
    )
})

it('names that a service wants where somebody signs in are told, kept on their word, and used', async () => {
  const wants = await listen(({ path, body }, response) => {
    const sent = body ? (JSON.parse(body) as Record<string, string>) : {}
    if (path === '/users/me') return reply(response, 200, { id: 'u1', email: 'ann@example.com' })
    if (path !== '/auth/login') return reply(response, 200, { items: [], nextCursor: null })
    const missing = ['username', 'passphrase'].filter((name) => !sent[name])
    const errors = Object.fromEntries(missing.map((name) => [name, [`The ${name} is required.`]]))
    return missing.length > 0
      ? reply(response, 422, { errors })
      : reply(response, 200, { token: 'a-token', user: { id: 'u1' } })
  })
  const { call } = openWindow(panel)
  const typed = { baseUrl: `${wants.baseUrl}/`, email: 'ann@example.com', password: 'Ann likes long ones' }
  const wanted = [
    { field: 'email', as: 'username' },
    { field: 'password', as: 'passphrase' },
  ]
  await expect(call('connections.sign-in', typed)).rejects.toMatchObject({
    problem: { code: 'invalid', wanted },
  })
  expect(await readdir(join(folder, 'profiles')).catch(() => [])).toEqual([])

  await call('service.use-names', { baseUrl: typed.baseUrl })
  const made = await call('connections.sign-in', typed)
  expect(made.state.kind).toBe('ready')
  const { text } = await call('service.profile', { connectionId: made.id })
  expect(JSON.parse(text)).toEqual({
    baseUrl: wants.baseUrl,
    operations: { 'account.sign-in': { request: { email: 'username', password: 'passphrase' } } },
  })
  // What nobody was refused is not kept on anybody's word.
  await call('service.use-names', { baseUrl: service.baseUrl })
  expect(await readdir(join(folder, 'profiles'))).toHaveLength(1)
  await wants.stop()
})
