import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hostingOf } from '../../../tests/doubles/hosts/pterodactyl/hosting-routes.ts'
import { type SignedIn, signedIn } from './pterodactyl.fixture.ts'

const startupOf = async ({ view, at }: SignedIn) => (await view('hosting.startup', at, true)).value
const databasesOf = async ({ view, at }: SignedIn) => (await view('hosting.databases', at, true)).value
const portsOf = async ({ view, at }: SignedIn) => (await view('hosting.ports', at, true)).value

test('startup variables are shown with their rules and changed one by one, and each refusal is at its field', async () => {
  const panel = await signedIn()
  const { send, at, server } = panel
  expect(await startupOf(panel)).toMatchObject({
    command: 'java -jar server.jar',
    image: 'ghcr.io/x/java:21',
    images: [
      { name: 'Java 21', image: 'ghcr.io/x/java:21' },
      { name: 'Java 17', image: 'ghcr.io/x/java:17' },
    ],
    variables: expect.arrayContaining([
      {
        ...{ key: 'MINECRAFT_VERSION', name: 'Minecraft Version', value: 'latest', default: 'latest' },
        ...{ rules: 'nullable|string|max:20', editable: true },
        description: 'The version of Minecraft to download.',
      },
      expect.objectContaining({ key: 'BUILD_NUMBER', editable: false }),
    ]),
  })
  const values = [
    { key: 'VIEW', value: '99' },
    { key: 'MODE', value: 'hardcore' },
    { key: 'MINECRAFT_VERSION', value: '1.21.4' },
  ]
  await expect(send('hosting.change-startup', { ...at, body: { values } })).rejects.toMatchObject({
    problem: {
      code: 'invalid',
      fields: {
        VIEW: ['The value breaks the rule between:2,32.'],
        MODE: ['The value breaks the rule in:survival,creative.'],
      },
    },
  })
  const held = () => Object.fromEntries(hostingOf(server).variables.map(({ key, value }) => [key, value]))
  expect(held()).toMatchObject({ VIEW: '10', MODE: 'survival', MINECRAFT_VERSION: '1.21.4' })
  const readOnly = [{ key: 'BUILD_NUMBER', value: '5' }]
  await expect(send('hosting.change-startup', { ...at, body: { values: readOnly } })).rejects.toMatchObject({
    problem: { serviceCode: 'host.said' },
  })
})

test('an image is chosen among the host’s, and a server is installed again', async () => {
  const panel = await signedIn()
  const { send, view, at, server } = panel
  await send('hosting.choose-image', { ...at, body: { image: 'ghcr.io/x/java:17' } })
  expect(await startupOf(panel)).toMatchObject({ image: 'ghcr.io/x/java:17' })
  await expect(send('hosting.choose-image', { ...at, body: { image: 'evil/image' } })).rejects.toMatchObject({
    problem: { code: 'invalid' },
  })
  hostingOf(server).image = 'chosen/by-hand'
  const other = send('hosting.choose-image', { ...at, body: { image: 'ghcr.io/x/java:21' } })
  await expect(other).rejects.toMatchObject({ problem: { serviceCode: 'host.said' } })
  await send('hosting.reinstall', at)
  expect(hostingOf(server).reinstalls).toBe(1)
  expect((await view('servers.status', at, true)).value?.status).toBe('installing')
})

test('a server keeps its description when it is renamed', async () => {
  const { send, at, server } = await signedIn()
  await send('servers.change-config', { ...at, body: { name: 'Hill' } })
  expect(server.name).toBe('Hill')
  expect(hostingOf(server).description).toBe('Since 2019')
})

test('databases are made, given another password and deleted', async () => {
  const panel = await signedIn()
  const { send, call, at, ref, server } = panel
  await send('hosting.add-database', { ...at, body: { name: 'shop' } })
  const [made] = hostingOf(server).databases
  expect(await databasesOf(panel)).toEqual({
    databases: [
      {
        ...{ id: String(made!.id), name: 's7_shop', user: 'u7_s7_shop', host: 'db.example.com' },
        ...{ port: 3306, from: '%' },
      },
    ],
    most: 2,
  })
  const of = { ...at, params: { ...at.params, databaseId: String(made!.id) } }
  const password = () => call('servers.database-password', { ...ref, databaseId: of.params.databaseId })
  const first = made!.password
  expect(await password()).toEqual({ password: first })
  await send('hosting.renew-password', of)
  expect(made!.password).not.toBe(first)
  expect(await password()).toEqual({ password: made!.password })
  await expect(send('hosting.add-database', { ...at, body: { name: 'a!b' } })).rejects.toMatchObject({
    problem: { code: 'invalid' },
  })
  await send('hosting.remove-database', of)
  expect(await databasesOf(panel)).toMatchObject({ databases: [] })
  await expect(password()).rejects.toMatchObject({ problem: { serviceCode: 'host.not-found' } })
})

test('a host that takes no more databases, or not so many in a minute, says so', async () => {
  const { send, at, server } = await signedIn()
  const add = (name: string) => send('hosting.add-database', { ...at, body: { name } })
  hostingOf(server).databasesMost = 1
  await add('one')
  await expect(add('two')).rejects.toMatchObject({
    problem: { serviceCode: 'host.said', message: expect.stringContaining('over the defined limit') },
  })
  await expect(add('three')).rejects.toMatchObject({ problem: { code: 'rate-limited', retryAfter: 47 } })
})

test('a password is shown to whom the host shows it, and kept nowhere', async () => {
  const { send, view, call, at, ref, host, server, data, restart, seen } = await signedIn()
  const secret = 'only-when-asked'
  hostingOf(server).databases.push({ id: 3, name: 's7_pelican', password: secret })
  await view('hosting.databases', at, true)
  expect(host.seen.some(({ path: at }) => at.includes('include=password'))).toBe(false)
  const ask = () => call('servers.database-password', { ...ref, databaseId: '3' })
  expect(await ask()).toEqual({ password: secret })
  server.owner = false
  server.permissions = ['database.read']
  expect(await ask()).toEqual({ password: null })
  await expect(
    send('hosting.renew-password', { ...at, params: { ...at.params, databaseId: '3' } }),
  ).rejects.toMatchObject({ problem: { code: 'forbidden' } })
  expect(JSON.stringify(seen)).not.toContain(secret)
  await restart()
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(readFileSync(path.join(entry.parentPath, entry.name)).includes(secret), entry.name).toBe(false)
})

test('ports are added, noted, made the primary one and given back', async () => {
  const panel = await signedIn()
  const { send, view, at, ref, server } = panel
  await send('hosting.add-port', at)
  const of = { ...at, params: { ...at.params, portId: '2' } }
  await send('hosting.change-port', { ...of, body: { note: 'Web map' } })
  await expect(send('hosting.add-port', at)).rejects.toMatchObject({
    problem: { message: expect.stringContaining('limit has been reached') },
  })
  expect(await portsOf(panel)).toEqual({
    ports: [
      { id: '1', host: 'play.example.com', port: 25_565, note: null, isPrimary: true },
      { id: '2', host: 'play.example.com', port: 25_566, note: 'Web map', isPrimary: false },
    ],
    most: 2,
  })
  await send('hosting.change-port', { ...of, body: { isPrimary: true } })
  expect(hostingOf(server).ports[1]?.notes).toBe('Web map')
  const { value } = await view('servers.list', { connectionId: ref.connectionId }, true)
  expect(value?.items[0]?.address).toEqual({ host: 'play.example.com', port: 25_566 })
  await expect(send('hosting.remove-port', of)).rejects.toMatchObject({
    problem: { serviceCode: 'host.said' },
  })
  await send('hosting.remove-port', { ...at, params: { ...at.params, portId: '1' } })
  expect(hostingOf(server).ports).toHaveLength(1)
})

test('who shares a server may do what the host’s permissions say', async () => {
  const { view, ref, server } = await signedIn()
  server.owner = false
  server.permissions = ['startup.read', 'startup.docker-image', 'database.read', 'allocation.update']
  const { value } = await view('servers.list', { connectionId: ref.connectionId }, true)
  expect(value?.items[0]?.role).toEqual([
    ...['server.read', 'startup.read', 'startup.image', 'databases.read', 'ports.write'],
  ])
})

test('odd answers of a host harm nothing', async () => {
  const panel = await signedIn()
  const { host } = panel
  const long = 'x'.repeat(30_000)
  const list = (items: unknown[], meta: unknown) => ({
    status: 200,
    body: { object: 'list', data: items.map((attributes) => ({ attributes })), meta },
  })
  const variables = [
    { env_variable: 'A/../B', server_value: 'x' },
    { env_variable: 'LONG', name: 'a\nb', server_value: long, description: long, is_editable: true },
    { env_variable: 'NUMBER', server_value: 5, rules: ['required', 'integer'] },
    'nothing',
  ]
  host.instead = ({ url }) => (url?.endsWith('/startup') ? list(variables, { docker_images: [] }) : null)
  expect(await startupOf(panel)).toMatchObject({
    images: [],
    variables: [
      { key: 'LONG', name: 'a b', editable: false, value: long.slice(0, 20_000) },
      { key: 'NUMBER', value: '5', rules: 'required|integer' },
    ],
  })
  const databases = [{ id: '../x', name: 'a' }, { id: 4, name: 'b', host: 'odd' }, null]
  host.instead = ({ url }) => (url?.endsWith('/databases') ? list(databases, null) : null)
  expect(await databasesOf(panel)).toMatchObject({ databases: [{ id: '4', name: 'b', port: null }] })
  host.instead = ({ url }) =>
    url?.endsWith('/allocations') ? list([{ id: 1 }, { id: 2, port: '5' }, { id: 3, port: 5 }], null) : null
  expect(await portsOf(panel)).toMatchObject({ ports: [{ id: '3', port: 5 }] })
})
