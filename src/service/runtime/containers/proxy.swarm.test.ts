import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createBot } from 'mineflayer'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { javaPrograms } from '../../../../tests/fixtures/docker-engine.ts'
import { DockerSwarm } from '../../../../tests/fixtures/docker-swarm.ts'
import { startTestService, temporaryFolder } from '../../service.fixture.ts'

const VERSION = '3.4.0-SNAPSHOT'

let swarm: DockerSwarm

beforeAll(async () => {
  swarm = await DockerSwarm.open(2, javaPrograms())
})
afterAll(() => swarm.close())

test('a proxy on one node leads players to its server on another, also after that has moved', async () => {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const jar = await readFile(await javaServerJar({ kind: 'velocity', version: VERSION }))
  offerFill(catalogs, 'velocity', [{ id: VERSION, java: 17, builds: [{ id: 500, jar }] }])
  const dataDir = await temporaryFolder()
  const service = await startTestService({ dataDir, engine: swarm.settings, catalogs: catalogs.settings })
  const token = await service.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => {
    const { status, body: answer } = await service.call(route, { token, body })
    if (status >= 400) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const until = async (id: string, wanted: string): Promise<void> => {
    for (;;) {
      const { status } = await ask(`GET /servers/status/${id}`)
      if (status === wanted) return
      if (status === 'crashed') throw new Error(JSON.stringify(await ask(`GET /servers/console/${id}`)))
      await wait(50)
    }
  }
  const make = async (name: string, software: object, node: string) => {
    const made = await ask('POST /servers', { name, software, memoryMb: 256, openTo: 'network' })
    await until(made.id, 'offline')
    await ask(`PATCH /servers/config/${made.id}`, { node })
    return { id: made.id as string, port: made.address.port as number }
  }
  const power = async (id: string, action: string, then: string) => {
    await ask(`POST /servers/power/${id}`, { action })
    await until(id, then)
  }
  const lobby = await make('Lobby', { id: 'demo', version: '1.20.4' }, 'node-2')
  const proxy = await make('Proxy', { id: 'velocity', version: VERSION }, 'node-1')
  const folder = path.join(dataDir, 'servers', proxy.id)
  await mkdir(folder, { recursive: true })
  const servers = `[servers]\nlobby = "127.0.0.1:${lobby.port}"\ntry = ["lobby"]\n`
  await writeFile(path.join(folder, 'velocity.toml'), `bind = "0.0.0.0:25577"\n${servers}`)
  const playsOn = async (node: string, username: string) => {
    await power(lobby.id, 'start', 'online')
    expect((await ask(`GET /servers/status/${lobby.id}`)).node.name).toBe(node)
    const { address } = await ask(`GET /servers/${proxy.id}`)
    const of = { username, version: '1.20.4', auth: 'offline', hideErrors: true } as const
    const bot = createBot({ host: address.host, port: address.port, ...of })
    await new Promise<void>((resolve, reject) => {
      bot.once('spawn', resolve)
      bot.once('error', reject)
      bot.once('end', (why) => reject(new Error(why)))
    })
    await expect.poll(async () => (await ask(`GET /servers/status/${lobby.id}`)).players.online).toBe(1)
    bot.quit()
    await power(lobby.id, 'stop', 'offline')
  }
  await power(proxy.id, 'start', 'online')
  await playsOn('node-2', 'Ann')
  await ask(`PATCH /servers/config/${lobby.id}`, { node: 'node-1' })
  await playsOn('node-1', 'Bea')
  await power(proxy.id, 'stop', 'offline')
  // Their networks are gone with them.
  const networks = () =>
    swarm.machines[0]!.engine.docker('network', 'ls', '-q', '--filter', 'name=wheelhouse-')
  await expect.poll(networks).toBe('')
})
