import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { offerFill } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { ManagementStandIn } from '../../../tests/doubles/management.ts'
import { openTestFiles } from '../files/files.fixture.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'
import { managementSettingsIn, propertiesIn } from '../worlds/server-properties.ts'
import { ManagementPorts } from './management-ports.ts'
import { writeSettings } from './installs/server-files.ts'

const managementIn = (text: string) => managementSettingsIn(propertiesIn(text))
const SECRET = 'a'.repeat(40)
/** As Minecraft writes it by itself. */
const MINECRAFTS = {
  enabled: 'false',
  host: 'localhost',
  port: '0',
  secret: SECRET,
  'tls-enabled': 'true',
  'tls-keystore': '',
  'tls-keystore-password': '',
  'allowed-origins': '',
}

const lines = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([key, value]) => `management-server-${key}=${value}\n`)
    .join('')

/** What `server.properties` says once it was made ready for a start. */
async function readied(
  before: string | null,
  version = '1.21.9',
  ports = new ManagementPorts(() => new Set()),
) {
  const { files, root } = await openTestFiles()
  const at = path.join(root, 'server.properties')
  if (before !== null) writeFileSync(at, before)
  await writeSettings(files, await ports.settings(root, files, version))
  return existsSync(at) ? readFileSync(at, 'utf8') : null
}

test.each([
  ['a server without settings', null],
  ['one that nobody has said anything about', `motd=Hi\n${lines(MINECRAFTS)}`],
  ['a copy of one that lets a page in', `motd=Hi\n${lines({ 'allowed-origins': 'panel' })}`],
])('%s has it on for this computer alone, at a port and with a secret of its own', async (_, before) => {
  const [one, two] = [(await readied(before))!, (await readied(before))!]
  const settings = [one, two].map(managementIn)
  expect(settings).toEqual(
    Array(2).fill({
      ...{
        kind: 'on',
        host: '127.0.0.1',
        port: expect.any(Number),
        origin: before?.includes('=panel') ? 'panel' : null,
      },
      secret: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    }),
  )
  const secrets = new Set(settings.map((it) => it.kind === 'on' && it.secret))
  expect([secrets.size, secrets.has(SECRET)]).toEqual([2, false])
  if (before) expect(one).toMatch(/^motd=Hi\n/)
  expect(await readied(one)).toBe(one)
})

test.each(['1.21.8', '1.20.4', '25w36a', 'unknown'])(
  'a server of %s, which may not know it, gets no lines',
  async (version) => {
    expect(await readied('motd=Hi\n', version)).toBe('motd=Hi\n')
  },
)

test.each(['1.21.9-pre1', '1.21.10', '26.1'])('%s has it', async (version) => {
  expect(managementIn((await readied('', version))!).kind).toBe('on')
})

test.each([
  ['set up', { enabled: 'true', host: 'localhost', port: 9, secret: SECRET, 'tls-enabled': 'false' }],
  ['set up with TLS', { ...MINECRAFTS, enabled: 'true', port: 9, 'tls-keystore': 'keys.p12' }],
  [
    'set up for another computer',
    { ...MINECRAFTS, enabled: 'true', host: '0.0.0.0', 'tls-enabled': 'false' },
  ],
  ['turned off', { ...MINECRAFTS, port: 28_123, 'tls-enabled': 'false' }],
  ['begun to set up', { port: 9 }],
])('what people have %s stays as they left it', async (_, values) => {
  expect(await readied(lines(values))).toBe(lines(values))
})

test('who turns it off before the first start is believed at all later ones', async () => {
  const first = (await readied(lines({ enabled: 'false' })))!
  const { port } = Object.fromEntries(
    [...propertiesIn(first)].map(([key, value]) => [key.replace('management-server-', ''), value]),
  )
  expect(managementIn(first).kind).toBe('off')
  const later = lines({ ...MINECRAFTS, port: port! })
  expect(await readied(later)).toBe(later)
})

test('a port that something else listens on by now is replaced, and nothing but that', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const values = { enabled: 'true', host: '127.0.0.1', port, secret: SECRET, 'tls-enabled': 'false' }
  const after = managementIn((await readied(lines(values)))!)
  expect(after).toMatchObject({ kind: 'on', secret: SECRET })
  expect(after).not.toMatchObject({ port })
})

test('servers that start at the same time are given different ports, none of them of a game server', async () => {
  // All that may be given but the last few.
  const games = new Set(Array.from({ length: 31_000 - 28_000 }, (_, at) => 28_000 + at))
  const ports = new ManagementPorts(() => games)
  const given = await Promise.all(
    Array.from({ length: 6 }, async () => managementIn((await readied('', '26.1', ports))!)),
  )
  const numbers = given.map((it) => (it.kind === 'on' ? it.port : 0))
  expect(new Set(numbers).size).toBe(6)
  for (const port of numbers) expect(games.has(port)).toBe(false)
})

test('of two servers that are set to the same port, the first to start keeps it', async () => {
  const own = lines({ ...MINECRAFTS, enabled: 'true', port: 28_999, 'tls-enabled': 'false' })
  const ports = new ManagementPorts(() => new Set())
  const both = await Promise.all([readied(own, '1.21.9', ports), readied(own, '1.21.9', ports)])
  const given = both.map((text) => managementIn(text!)).map((it) => it.kind === 'on' && it.port)
  expect(given).toContain(28_999)
  expect(new Set(given).size).toBe(2)
})

test('the players of a new server come from its management protocol, and nobody is told its secret', async () => {
  const version = '1.21.10'
  const catalogs = await CatalogServer.start()
  const dataDir = await temporaryFolder()
  const jar = await readFile(await javaServerJar({ kind: 'paper', version, build: '9' }))
  offerFill(catalogs, 'paper', [{ id: version, java: 17, builds: [{ id: 9, jar }] }])
  const { call, account, service } = await openTestService({ dataDir, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await service.close(true)
    await catalogs.stop()
  })
  const token = await account('ann@example.org')
  const ask = async (route: string, body?: unknown) => (await call(route, { token, body })).body
  const software = { id: 'paper', version }
  const { id } = await ask('POST /servers', { name: 'one', software, memoryMb: 512, acceptLicense: true })
  const status = async () => (await ask(`GET /servers/status/${id}`)).status
  const reaches = (wanted: string) => expect.poll(status, { interval: 20, timeout: 15_000 }).toBe(wanted)
  await reaches('offline')
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await reaches('online')
  const text = await readFile(path.join(dataDir, 'servers', id, 'server.properties'), 'utf8')
  const settings = managementIn(text)
  if (settings.kind !== 'on') throw new Error('It is not on.')
  // The Java program does not speak it.
  const server = await ManagementStandIn.start(settings.port)
  onTestFinished(() => server.close())
  server.secret = settings.secret
  server.online = [{ id: '069a79f4-44e9-4726-a5be-fca90e38aaf5', name: 'Steve' }]
  await expect
    .poll(async () => (await ask(`GET /servers/status/${id}`)).players.online, { timeout: 5000 })
    .toBe(1)
  const told = [
    await ask(`GET /servers/console/${id}`),
    await ask(`GET /servers/settings/${id}`),
    await readFile(path.join(dataDir, 'logs', 'service.log'), 'utf8').catch(() => ''),
  ]
  expect(JSON.stringify(told)).not.toContain(settings.secret)

  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await reaches('offline')
  const copy = await ask(`POST /servers/duplicate/${id}`, { name: 'two' })
  const copied = await readFile(path.join(dataDir, 'servers', copy.id, 'server.properties'), 'utf8')
  expect(copied).not.toContain('management-server')
})
