import { connect } from 'node:net'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { networkAddresses } from '../../base/game-host.ts'
import { openTestService, temporaryFolder } from '../../service.fixture.ts'
import { waysTo } from './addresses.ts'

const VERSION = '1.20.4'
/** An address of this machine that others in its network can use; without one, nothing of it can be tried. */
const [network] = networkAddresses()

const listens = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    socket.on('error', () => resolve(false))
    socket.on('connect', () => resolve((socket.destroy(), true)))
  })

/** A Paper server, open to these. */
async function openPaper(openTo?: 'computer' | 'network') {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  const dataDir = await temporaryFolder()
  const it = await openTestService({ dataDir, catalogs: catalogs.settings })
  onTestFinished(() => it.service.close(true))
  const token = await it.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => (await it.call(route, { token, body })).body
  const made = await ask('POST /servers', {
    ...{ name: 'My server', software: { id: 'paper', version: VERSION }, memoryMb: 512 },
    ...{ acceptLicense: true, openTo },
  })
  const id = String(made.id)
  const reaches = (status: string) =>
    expect.poll(async () => (await ask(`GET /servers/status/${id}`)).status, { interval: 20 }).toBe(status)
  await reaches('offline')
  return {
    ...{ ask, id, port: Number(made.address.port) },
    address: async () => (await ask(`GET /servers/${id}`)).address,
    ways: async () => (await ask(`GET /servers/addresses/${id}`)).items,
    config: () => ask(`GET /servers/config/${id}`),
    change: (body: object) => it.call(`PATCH /servers/config/${id}`, { token, body }),
    say: (command: string) => ask(`POST /servers/command/${id}`, { command }),
    settings: () => readFile(path.join(dataDir, 'servers', id, 'server.properties'), 'utf8'),
    async power(action: string, status: string) {
      await ask(`POST /servers/power/${id}`, { action })
      await reaches(status)
    },
  }
}

it('a server is new until it was online, and what it used is told afterwards too', async () => {
  const { ask, id, power } = await openPaper()
  const ran = async () => (await ask(`GET /servers/${id}`)).ran
  const history = () => ask(`GET /servers/stats/history/${id}?range=week`)
  expect(await ran()).toBe(false)
  expect(await history()).toMatchObject({ points: [], seconds: 1800 })
  await power('start', 'online')
  expect(await ran()).toBe(true)
  await expect.poll(async () => (await history()).points.length).toBe(1)
  await power('stop', 'offline')
  const { points, marks } = await history()
  expect(points[0].memoryBytes).toBeGreaterThan(0)
  expect(marks.map(({ status }: { status: string }) => status)).toEqual([
    ...['offline', 'starting', 'online', 'stopping', 'offline'],
  ])
})

it('a server that nobody has opened is reached from its own computer alone', async () => {
  const { address, ways, power, port, config } = await openPaper()
  await power('start', 'online')
  expect(await config()).toMatchObject({ openTo: 'computer', running: { openTo: 'computer', port } })
  expect(await address()).toEqual({ host: '127.0.0.1', port })
  expect(await ways()).toEqual([{ kind: 'computer', host: '127.0.0.1', port, answers: true, joinedAt: null }])
  if (network) expect(await listens(network, port)).toBe(false)
})

it.skipIf(!network)(
  'an open server is reached at the address of its computer, and who joins shows that it works',
  async () => {
    const { address, ways, power, port, say } = await openPaper('network')
    expect(await address()).toEqual({ host: network, port })
    const open = async () => (await ways()).find(({ host }: { host: string }) => host === network)
    expect(await open()).toMatchObject({ port, answers: null })
    await power('start', 'online')
    expect(await listens(network!, port)).toBe(true)
    const here = async () => (await ways())[0]
    expect(await here()).toMatchObject({ kind: 'computer', host: '127.0.0.1', answers: true, joinedAt: null })
    expect(await open()).toMatchObject({ port, answers: true, joinedAt: null })
    await say('join Alex 192.168.77.7')
    await say('join Steve [2001:db8::9]')
    await expect.poll(async () => (await open()).joinedAt).toEqual(expect.any(String))
    expect((await here()).joinedAt).toBeNull()
  },
)

it.skipIf(!network)(
  'what is changed while a server runs holds from its next start on, and is told until then',
  async () => {
    const { address, power, port, config, change, settings } = await openPaper()
    await power('start', 'online')
    const wanted = port + 40
    expect((await change({ openTo: 'network', port: wanted, memoryMb: 600 })).body).toMatchObject({
      ...{ openTo: 'network', port: wanted, memoryMb: 600 },
      running: { openTo: 'computer', port, memoryMb: 512, java: 'auto' },
    })
    expect(await address()).toEqual({ host: '127.0.0.1', port })
    expect(await listens('127.0.0.1', port)).toBe(true)
    await power('stop', 'offline')
    expect((await config()).running).toBeUndefined()
    expect(await address()).toEqual({ host: network, port: wanted })
    await power('start', 'online')
    expect(await listens(network!, wanted)).toBe(true)
    expect(await settings()).toContain(`server-port=${wanted}`)
    expect((await config()).running).toMatchObject({ openTo: 'network', port: wanted, memoryMb: 600 })
  },
)

it.each([
  ['127.0.0.1', 'localhost', ['192.168.1.20'], ['computer 127.0.0.1']],
  ['0.0.0.0', '127.0.0.1', ['192.168.1.20'], ['computer 127.0.0.1', 'network 192.168.1.20', 'internet null']],
  ['0.0.0.0', 'localhost', [], ['computer 127.0.0.1', 'internet null']],
  // Who comes by a name knows how the computer is called there.
  [
    ...['0.0.0.0', 'play.example.org', ['10.0.0.4']],
    ['computer 127.0.0.1', 'network 10.0.0.4', 'internet play.example.org'],
  ],
  [
    ...['0.0.0.0', 'nas.local', ['10.0.0.4']],
    ['computer 127.0.0.1', 'network 10.0.0.4', 'network nas.local', 'internet null'],
  ],
  // A rented one is on the internet by itself.
  ['0.0.0.0', 'play.example.org', ['203.0.113.5'], ['computer 127.0.0.1', 'internet 203.0.113.5']],
  ['203.0.113.5', '203.0.113.5', [], ['computer 203.0.113.5', 'internet 203.0.113.5']],
  ['10.0.0.4', '10.0.0.4', [], ['computer 10.0.0.4', 'network 10.0.0.4', 'internet null']],
] as [string, string, string[], string[]][])(
  'to what listens on %s, for who came by %s, with the networks %s: %s',
  (host, caller, networks, expected) => {
    const ways = waysTo({ host, port: 25565 }, caller, networks)
    expect(ways.map(({ kind, host }) => `${kind} ${host}`)).toEqual(expected)
  },
)
