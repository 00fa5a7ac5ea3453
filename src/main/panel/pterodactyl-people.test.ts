import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { DoubleEvent, DoubleUser } from '../../../tests/doubles/hosts/pterodactyl/routes.ts'
import { signedIn } from './pterodactyl.fixture.ts'

const ben = (permissions: string[]): DoubleUser => ({
  ...{ uuid: '8d1f2c8a-0000-4000-8000-000000000001', username: 'ben', email: 'ben@example.com', permissions },
})

test('who shares a server is listed with scopes, the owner first', async () => {
  const { view, server, at } = await signedIn()
  server.users.push(ben(['websocket.connect', 'control.start', 'file.read', 'database.read']))
  const list = async () => (await view('access.list', at, true)).value?.items
  expect(await list()).toMatchObject([
    { name: 'steve', role: 'owner', state: 'active', you: true },
    {
      ...{ id: server.users[0]!.uuid, name: 'ben', email: 'ben@example.com', state: 'active', you: false },
      role: expect.arrayContaining([
        'control.start',
        'console.read',
        'files.read',
        'databases.read',
      ]) as unknown,
      since: '2026-10-01T10:00:00.000Z',
    },
  ])
  server.owner = false
  server.permissions = ['user.read']
  server.users.push({
    uuid: 'me-1',
    username: 'steve',
    email: 'steve@example.com',
    permissions: ['user.read'],
  })
  expect(await list()).toMatchObject([
    { name: '–', role: 'owner' },
    { name: 'ben' },
    { name: 'steve', you: true },
  ])
})

test('people are added, changed and removed; permissions that no scope stands for stay', async () => {
  const { send, server, at } = await signedIn()
  const invite = (email: string, scopes: string[]) =>
    send('access.invite', { ...at, body: { email, scopes } })
  await invite('ben@example.com', ['server.read', 'control.stop', 'files.write'])
  const [user] = server.users
  expect(user).toMatchObject({
    permissions: ['control.stop', 'file.create', 'file.update', 'websocket.connect'],
  })
  await expect(invite('ben@example.com', ['server.read'])).rejects.toMatchObject({
    problem: { serviceCode: 'host.said' },
  })
  user!.permissions.push('file.sftp', 'backup.download', 'schedule.create')
  const of = { ...at, params: { ...at.params, userId: user!.uuid } }
  // Killing takes the same permission as stopping.
  const scopes = ['server.read', 'console.read', 'stats.read', 'control.stop', 'files.read']
  await send('access.change', { ...of, body: { scopes } })
  expect([...user!.permissions].sort()).toEqual(
    [
      ...['backup.download', 'control.stop', 'file.read', 'file.read-content', 'file.sftp'],
      ...['schedule.create', 'websocket.connect'],
    ].sort(),
  )
  await send('access.remove', of)
  expect(server.users).toEqual([])
})

test('nobody grants what they lack, and only what can be granted is offered', async () => {
  const { send, view, server, ref, at } = await signedIn()
  const { value } = await view('access.scopes', { connectionId: ref.connectionId }, true)
  const ids = value?.items.map(({ id }) => id)
  expect(ids).toContain('files.write')
  expect(ids).not.toContain('software.write')
  server.owner = false
  server.permissions = ['user.read', 'user.create', 'control.start']
  const invite = (scopes: string[]) =>
    send('access.invite', { ...at, body: { email: 'eva@example.com', scopes } })
  await expect(invite(['control.start', 'control.stop'])).rejects.toMatchObject({
    problem: { serviceCode: 'host.said' },
  })
  await expect(invite(['software.write'])).rejects.toMatchObject({ problem: { code: 'invalid' } })
  await invite(['control.start'])
  expect(server.users).toMatchObject([
    { username: 'eva', permissions: ['control.start', 'websocket.connect'] },
  ])
})

const HOUR = 60 * 60 * 1000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const happened = (event: string, properties: unknown = [], more: Partial<DoubleEvent> = {}): DoubleEvent => ({
  ...{
    event,
    properties,
    actor: 'ben',
    timestamp: new Date(NOW).toISOString().replace('.000Z', '+00:00'),
    ...more,
  },
})

test('what was done is told in the words of our own actions, and what is not known by its name', async () => {
  const { view, server, at } = await signedIn()
  server.log = [
    happened('server:power.start', [], { actor: 'steve', ip: '203.0.113.7' }),
    happened('server:console.command', { command: 'say hi' }),
    happened('server:console.command', { command: 'say hi' }),
    happened('server:file.rename', { directory: '/plugins', files: [{ from: 'a.jar', to: 'b.jar' }] }),
    happened('server:file.delete', {
      directory: '/',
      files: Array.from({ length: 30 }, (_, n) => `${n}.txt`),
    }),
    happened('server:sftp.write', { files: ['/world/level.dat'] }),
    happened('server:subuser.create', { email: 'eva@example.com' }),
    happened('server:database.create', { name: 's1_\nworld' }),
    happened('server:backup.complete', { name: 7 }, { actor: null }),
  ]
  const { value } = await view('activity.list', { ...at, query: {} }, true)
  expect(value).toMatchObject({
    more: false,
    items: [
      { action: 'servers.power.start', actor: { name: 'steve', you: true }, address: '203.0.113.7' },
      { action: 'console.command', what: 'command', targets: ['say hi'], times: 2, actor: { name: 'ben' } },
      { action: 'files.move', what: 'file', targets: ['plugins/a.jar'] },
      { action: 'files.remove', count: 30 },
      { action: 'files.write', targets: ['world/level.dat'] },
      { action: 'access.invite', what: 'person', targets: ['eva@example.com'] },
      { action: 'host.database-create', targets: ['s1_ world'] },
      { action: 'server:backup.complete' },
    ],
  })
  expect(value?.items[3]?.targets).toHaveLength(10)
  expect(value?.items[7]?.actor ?? null).toBeNull()
})

const many = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    happened(
      n % 100 === 7 ? 'server:subuser.update' : 'server:power.stop',
      { email: `${n}@example.com` },
      // Two each second, so that a second crosses pages.
      {
        timestamp: new Date(NOW - Math.floor((n + 1) / 2) * 1000).toISOString(),
        actor: n % 2 ? 'ben' : 'eva',
      },
    ),
  )

test('a long log is read page by page, also while it grows, each entry once', async () => {
  const { view, server, host, at } = await signedIn()
  server.log = many(1250)
  const seen: string[] = []
  let before: string | undefined
  for (let round = 0; round < 30; round++) {
    const query = before === undefined ? {} : { before }
    const { value } = await view('activity.list', { ...at, query }, true)
    seen.push(...(value?.items ?? []).map(({ id }) => id!))
    if (value?.more !== true) break
    before = seen.at(-1)
    server.log.unshift(
      happened('server:power.start', [], {
        actor: null,
        timestamp: new Date(NOW + seen.length * HOUR).toISOString(),
      }),
    )
  }
  expect(seen).toHaveLength(1250)
  expect(new Set(seen).size).toBe(1250)
  expect(host.seen.filter(({ path }) => path.includes('/activity')).length).toBeLessThan(40)
})

test('the log is filtered by person, kind and time', async () => {
  const { view, server, host, at } = await signedIn()
  server.log = many(300)
  server.users.push(ben([]))
  const list = async (query: object) => (await view('activity.list', { ...at, query }, true)).value
  expect((await list({ area: 'access' }))?.items.map(({ targets }) => targets?.[0])).toEqual(
    [7, 107, 207].map((n) => `${n}@example.com`),
  )
  expect((await list({ actor: 'eva' }))?.items).toHaveLength(100)
  expect((await list({ since: new Date(NOW - 10_000).toISOString() }))?.items).toHaveLength(21)
  expect((await list({ area: 'players' }))?.items).toEqual([])
  const { value } = await view('activity.people', at, true)
  expect(value?.items).toMatchObject([
    { id: 'steve', you: true },
    { id: 'ben', name: 'ben' },
  ])
  // What is far down is looked for no further than the panel lets us ask.
  server.log = many(2000)
  host.seen.length = 0
  expect(await list({ area: 'players' })).toMatchObject({ items: [], more: true })
  expect(host.seen.filter(({ path }) => path.includes('/activity'))).toHaveLength(5)
})

test('the log is saved as a file', async () => {
  const { call, server, ref } = await signedIn()
  server.log = [happened('server:console.command', { command: '=1+1' }), happened('server:power.stop')]
  const { path } = await call('activity.save', { ...ref, format: 'csv' })
  expect(readFileSync(path, 'utf8').split('\r\n').slice(1)).toEqual([
    "2026-11-20T12:00:00.000Z,ben,ben,console.command,'=1+1,1,,,,",
    '2026-11-20T12:00:00.000Z,ben,ben,servers.power.stop,,,,,,',
    '',
  ])
})
