import { setTimeout as wait } from 'node:timers/promises'
import { createBot } from 'mineflayer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DockerSwarm } from '../../../../tests/fixtures/docker-swarm.ts'
import { openTestService, startTestService, temporaryFolder } from '../../service.fixture.ts'

let swarm: DockerSwarm

beforeAll(async () => {
  swarm = await DockerSwarm.open()
})
afterAll(() => swarm.close())

const playing = (host: string, port: number) =>
  new Promise<ReturnType<typeof createBot>>((resolve, reject) => {
    const bot = createBot({ host, port, username: 'Ann', auth: 'offline', hideErrors: true })
    bot.once('spawn', () => resolve(bot))
    bot.once('error', reject)
  })

test('a server on a node is played on at its address, outlives its service, which goes on at another manager, and moves', async () => {
  const dataDir = await temporaryFolder()
  const options = { dataDir, engine: swarm.settings }
  const first = await openTestService(options)
  const token = await first.account('ann@example.org')
  const asked = (service: typeof first) => async (route: string, body?: unknown) => {
    const { status, body: answer } = await service.call(route, { token, body })
    if (status >= 400) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const ask = asked(first)
  const made = await ask('POST /servers', {
    ...{ name: 'One', software: { id: 'demo', version: '1.20.4' }, memoryMb: 256, openTo: 'network' },
  })
  await ask(`PATCH /servers/config/${made.id}`, { node: 'node-2' })
  await ask(`POST /servers/power/${made.id}`, { action: 'start' })
  const until = async (of: typeof ask, want: object) => {
    for (;;) {
      const now = await of(`GET /servers/status/${made.id}`)
      if (Object.entries(want).every(([key, value]) => JSON.stringify(now[key]) === JSON.stringify(value)))
        return
      if (now.status === 'crashed')
        throw new Error(JSON.stringify(await of(`GET /servers/console/${made.id}`)))
      await wait(50)
    }
  }
  await until(ask, { status: 'online', node: { name: 'node-2', isGone: false } })
  const { address } = await ask(`GET /servers/${made.id}`)
  expect(address.host).toBe('10.99.0.2')
  const bot = await playing(address.host, address.port)
  await expect.poll(async () => (await ask(`GET /servers/status/${made.id}`)).players.online).toBe(1)

  await first.service.close()
  bot.chat('nobody hears this')
  const [one, two] = swarm.machines
  await one!.engine.docker('node', 'promote', two!.name)
  const second = await startTestService({
    ...options,
    engine: { ...swarm.settings, address: two!.engine.address },
  })
  const again = asked(second)
  await until(again, { status: 'online' })
  const texts = async (): Promise<string[]> =>
    (await again(`GET /servers/console/${made.id}?limit=500`)).items.map(({ text }: { text: string }) => text)
  await expect.poll(async () => (await texts()).at(-1)).toContain('<Ann> nobody hears this')
  expect((await texts()).filter((line) => line.includes('joined the game'))).toHaveLength(1)
  bot.end()

  await again(`PATCH /servers/config/${made.id}`, { node: 'node-3' })
  await again(`POST /servers/power/${made.id}`, { action: 'restart' })
  await until(again, { status: 'online', node: { name: 'node-3', isGone: false } })
  expect((await again(`GET /servers/${made.id}`)).address.host).toBe('10.99.0.3')
  await again(`POST /servers/power/${made.id}`, { action: 'stop' })
  await until(again, { status: 'offline' })
})
