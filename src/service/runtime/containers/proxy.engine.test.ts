import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createBot } from 'mineflayer'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { DockerEngine, javaPrograms } from '../../../../tests/fixtures/docker-engine.ts'
import { startTestService, temporaryFolder } from '../../service.fixture.ts'

const VERSION = '3.4.0-SNAPSHOT'

let docker: DockerEngine
let image: string

beforeAll(async () => {
  docker = await DockerEngine.open()
  image = await docker.image(...javaPrograms())
})
afterAll(() => docker.close())

/** A service with an engine, and what its accounts ask. */
async function openService() {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const jar = await readFile(await javaServerJar({ kind: 'velocity', version: VERSION }))
  offerFill(catalogs, 'velocity', [{ id: VERSION, java: 17, builds: [{ id: 500, jar }] }])
  const dataDir = await temporaryFolder()
  const engine = { address: docker.address, tls: null, image }
  const service = await startTestService({ dataDir, engine, catalogs: catalogs.settings })
  return async (email: string) => {
    const token = await service.account(email)
    const ask = async (route: string, body?: unknown) => {
      const { status, body: answer } = await service.call(route, { token, body })
      if (status >= 400) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`)
      return answer
    }
    const texts = async (id: string): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}?limit=500`)).items.map(({ text }: { text: string }) => text)
    const until = async (id: string, wanted: string): Promise<void> => {
      for (;;) {
        const { status } = await ask(`GET /servers/status/${id}`)
        if (status === wanted) return
        if (status === 'crashed') throw new Error((await texts(id)).join('\n'))
        await wait(50)
      }
    }
    return {
      ask,
      until,
      async make(name: string, software = { id: 'demo', version: '1.20.4' }) {
        const made = await ask('POST /servers', { name, software, memoryMb: 512, openTo: 'network' })
        await until(made.id, 'offline')
        return { id: made.id as string, port: made.address.port as number }
      },
      async power({ id }: { id: string }, action: string, then: string) {
        await ask(`POST /servers/power/${id}`, { action })
        await until(id, then)
      },
      online: async ({ id }: { id: string }) =>
        (await ask(`GET /servers/status/${id}`)).players.online as number,
      texts: ({ id }: { id: string }) => texts(id),
      async configure({ id }: { id: string }, servers: Record<string, string>) {
        const folder = path.join(dataDir, 'servers', id)
        await mkdir(folder, { recursive: true })
        const lines = Object.entries(servers).map(([name, address]) => `${name} = "${address}"\n`)
        const order = Object.keys(servers).map((name) => `"${name}"`)
        const text = `bind = "0.0.0.0:25577"\n[servers]\n${lines.join('')}try = [${order.join(', ')}]\n`
        await writeFile(path.join(folder, 'velocity.toml'), text)
      },
    }
  }
}

const velocity = { id: 'velocity', version: VERSION }

/** A player who joins at this port, and leaves. */
async function joins(port: number, username: string): Promise<() => Promise<void>> {
  // The stand-in for Velocity doesn't ask its servers for their version.
  const of = { username, version: '1.20.4', auth: 'offline', hideErrors: true } as const
  const bot = createBot({ host: '127.0.0.1', port, ...of })
  await new Promise<void>((resolve, reject) => {
    bot.once('spawn', resolve)
    bot.once('error', reject)
    bot.once('end', (why) => reject(new Error(why)))
  })
  return () =>
    new Promise((resolve) => {
      bot.once('end', () => resolve())
      bot.quit()
    })
}

/** Whether something is connected to there from a server's container, by the network that it has. */
async function reaches(from: { id: string }, host: string, port: number): Promise<boolean> {
  const pid = await docker.docker('inspect', '--format', '{{.State.Pid}}', `wheelhouse-${from.id}`)
  const netcat = ['/bin/busybox', 'nc', '-w', '2', host, String(port)]
  const [code] = (await once(
    spawn('nsenter', ['-t', pid, '-n', ...netcat], { stdio: 'ignore' }),
    'exit',
  )) as [number]
  return code === 0
}

const addressesOf = async ({ id }: { id: string }): Promise<string[]> =>
  (
    await docker.docker(
      'inspect',
      '--format',
      '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}',
      `wheelhouse-${id}`,
    )
  )
    .split(' ')
    .filter((one) => one.startsWith('10.213.'))

test('players join through a proxy in a container, whose settings name its servers as without one, and it reaches no other', async () => {
  const { make, power, configure, online, texts, ask } = await (await openService())('ann@example.org')
  const [lobby, games, other] = [await make('Lobby'), await make('Games'), await make('Other')]
  const proxy = await make('Proxy', velocity)
  expect(await ask(`GET /servers/config/${proxy.id}`)).toMatchObject({ driver: 'docker' })
  await configure(proxy, { lobby: `127.0.0.1:${lobby.port}`, games: `localhost:${games.port}` })
  for (const one of [games, other, proxy]) await power(one, 'start', 'online')

  // The first of its servers is not there.
  const ann = await joins(proxy.port, 'Ann')
  await expect.poll(() => online(games)).toBe(1)
  // Its servers may be started, stopped and started again while it runs.
  for (let times = 0; times < 2; times++) {
    await power(lobby, 'start', 'online')
    const bea = await joins(proxy.port, 'Bea')
    await expect.poll(() => online(lobby)).toBe(1)
    await bea()
    await power(lobby, 'stop', 'offline')
  }
  await ann()
  await power(lobby, 'start', 'online')

  expect(await reaches(proxy, '127.0.0.1', games.port)).toBe(true)
  expect(await reaches(proxy, '127.0.0.1', other.port)).toBe(false)
  for (const address of await addressesOf(other))
    expect(await reaches(proxy, address, other.port)).toBe(false)
  // Nor do its servers reach each other.
  for (const address of await addressesOf(games))
    expect(await reaches(lobby, address, games.port)).toBe(false)
  expect((await texts(proxy)).filter((text) => text.includes('cannot reach'))).toEqual([])

  await power(proxy, 'stop', 'offline')
  await expect
    .poll(() => docker.docker('network', 'ls', '-q', '--filter', 'label=wheelhouse.behind'))
    .toBe('')
  expect(await online(games)).toBe(0)

  // Without its container, the same settings lead there, too.
  await ask(`PATCH /servers/config/${proxy.id}`, { driver: 'process' })
  await power(proxy, 'start', 'online')
  const cid = await joins(proxy.port, 'Cid')
  await expect.poll(() => online(lobby)).toBe(1)
  await cid()
  for (const one of [lobby, games, other, proxy]) await power(one, 'stop', 'offline')
})

test('a proxy says what it does not reach from its container: processes, other owners’ servers, and what is no server', async () => {
  const account = await openService()
  const [ann, bea] = [await account('ann@example.org'), await account('bea@example.org')]
  const [foreign, bare, own] = [await bea.make('Foreign'), await ann.make('Bare'), await ann.make('Own')]
  await ann.ask(`PATCH /servers/config/${bare.id}`, { driver: 'process' })
  const proxy = await ann.make('Proxy', velocity)
  execFileSync('ip', ['addr', 'add', '192.0.2.77/32', 'dev', 'lo'])
  onTestFinished(() => void execFileSync('ip', ['addr', 'del', '192.0.2.77/32', 'dev', 'lo']))
  await ann.configure(proxy, {
    foreign: `127.0.0.1:${foreign.port}`,
    bare: `127.0.0.1:${bare.port}`,
    nobody: '127.0.0.1:9',
    elsewhere: '192.0.2.78:25565',
    outside: `192.0.2.77:${own.port}`,
  })
  await bea.power(foreign, 'start', 'online')
  for (const one of [bare, own, proxy]) await ann.power(one, 'start', 'online')
  const unreached = [`127.0.0.1:${foreign.port}`, `127.0.0.1:${bare.port}`, '127.0.0.1:9']
  expect(await ann.texts(proxy)).toContain(
    `From its container, this proxy cannot reach ${unreached.join(', ')}. It reaches servers of the same owner that run in containers, too: name them as 127.0.0.1 with their port.`,
  )
  for (const address of unreached)
    expect([address, await reaches(proxy, '127.0.0.1', Number(address.split(':')[1]))]).toEqual([
      address,
      false,
    ])
  // What is open to everyone is so to containers.
  expect(await reaches(proxy, '192.0.2.77', own.port)).toBe(true)
  await bea.power(foreign, 'stop', 'offline')
  for (const one of [bare, own, proxy]) await ann.power(one, 'stop', 'offline')
})
