import { setTimeout as wait } from 'node:timers/promises'
import { createBot } from 'mineflayer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DockerEngine } from '../../../../tests/fixtures/docker-engine.ts'
import {
  openTestService,
  startTestService,
  temporaryFolder,
  type TestService,
} from '../../service.fixture.ts'
import type { EngineSettings } from './engine.ts'

let docker: DockerEngine
let engine: EngineSettings

beforeAll(async () => {
  docker = await DockerEngine.open(['--live-restore'])
  engine = { address: docker.address, tls: null, image: await docker.image() }
})
afterAll(() => docker.close())

const caller = (service: TestService, token: string) => async (route: string, body?: unknown) => {
  const { status, body: answer } = await service.call(route, { token, body })
  if (status >= 400) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`)
  return answer
}
type Ask = ReturnType<typeof caller>

async function until(ask: Ask, id: string, status: string): Promise<void> {
  for (;;) {
    const now = await ask(`GET /servers/status/${id}`)
    if (now.status === status) return
    if (now.status === 'crashed') throw new Error(JSON.stringify(await ask(`GET /servers/console/${id}`)))
    await wait(50)
  }
}

const playing = (port: number, username: string) =>
  new Promise<ReturnType<typeof createBot>>((resolve, reject) => {
    const bot = createBot({ host: '127.0.0.1', port, username, auth: 'offline', hideErrors: true })
    bot.once('spawn', () => resolve(bot))
    bot.once('error', reject)
    bot.once('end', (why) => reject(new Error(why)))
  })

const texts = async (ask: Ask, id: string): Promise<string[]> =>
  (await ask(`GET /servers/console/${id}?limit=500`)).items.map(({ text }: { text: string }) => text)

test('a server in a container is played on, outlives its service, and goes on in the console and the list of players', async () => {
  const dataDir = await temporaryFolder()
  const first = await openTestService({ dataDir, engine })
  const token = await first.account('ann@example.org')
  const ask = caller(first, token)
  const made = await ask('POST /servers', {
    ...{ name: 'One', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
  })
  expect(await ask(`GET /servers/config/${made.id}`)).toMatchObject({ driver: 'docker' })
  await ask(`POST /servers/power/${made.id}`, { action: 'start' })
  await until(ask, made.id, 'online')
  const bot = await playing(made.address.port, 'Ann')
  await expect.poll(async () => (await ask(`GET /servers/status/${made.id}`)).players.online).toBe(1)
  expect(await docker.docker('ps', '--format', '{{.Names}}')).toBe(`wheelhouse-${made.id}`)

  await first.service.close()
  bot.chat('nobody hears this')
  const second = await startTestService({ dataDir, engine })
  const again = caller(second, token)
  expect(await again(`GET /servers/status/${made.id}`)).toMatchObject({ status: 'online' })
  await expect
    .poll(async () => (await again(`GET /servers/players/${made.id}`)).items)
    .toMatchObject([{ name: 'Ann', online: true }])
  await expect.poll(async () => (await texts(again, made.id)).at(-1)).toContain('<Ann> nobody hears this')
  const lines = await texts(again, made.id)
  expect(lines).toContain('The service is back and reconnected: the server kept running in the meantime.')
  expect(lines.filter((line) => line.includes('joined the game'))).toHaveLength(1)

  const left = new Promise((resolve) => bot.once('end', resolve))
  await again(`POST /servers/power/${made.id}`, { action: 'stop' })
  await until(again, made.id, 'offline')
  await left
  await expect.poll(() => docker.docker('ps', '-aq')).toBe('')
})

test('a server is restarted, and its backup is tried in a container without a network', async () => {
  const service = await startTestService({ engine })
  const ask = caller(service, await service.account('bea@example.org'))
  const made = await ask('POST /servers', {
    ...{ name: 'Two', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
  })
  await ask(`POST /servers/power/${made.id}`, { action: 'start' })
  await until(ask, made.id, 'online')
  for (let times = 1; times <= 3; times++) {
    await ask(`POST /servers/power/${made.id}`, { action: 'restart' })
    const starts = async () => (await texts(ask, made.id)).filter((text) => text.startsWith('Starting Demo'))
    await expect.poll(async () => (await starts()).length).toBe(times + 1)
    await until(ask, made.id, 'online')
  }
  await ask(`POST /servers/backups/${made.id}`, {})
  await expect
    .poll(async () => (await ask(`GET /servers/backups/${made.id}`)).items)
    .toMatchObject([{ state: 'done' }])
  const [backup] = (await ask(`GET /servers/backups/${made.id}`)).items
  await ask(`POST /servers/backups/try/${made.id}`, { backup: backup.id, start: true })
  await expect
    .poll(async () => (await ask(`GET /servers/backups/${made.id}`)).items[0].tried)
    .toMatchObject({ result: 'started', seconds: expect.any(Number) as number, cutOff: true })
})

test('a service that started without its engine finds what runs on once the engine is back, and starts no second one', async () => {
  const dataDir = await temporaryFolder()
  const first = await openTestService({ dataDir, engine })
  const token = await first.account('cid@example.org')
  const ask = caller(first, token)
  const wish = { software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }
  const runs = await ask('POST /servers', { ...wish, name: 'Three' })
  const marked = await ask('POST /servers', { ...wish, name: 'Four' })
  await ask(`PATCH /servers/config/${marked.id}`, { autoStart: true })
  await ask(`POST /servers/power/${runs.id}`, { action: 'start' })
  await until(ask, runs.id, 'online')
  const startOf = () =>
    docker.docker('inspect', '-f', '{{.Id}} {{.State.StartedAt}}', `wheelhouse-${runs.id}`)
  const started = await startOf()
  // For its next start.
  await ask(`PATCH /servers/config/${runs.id}`, { driver: 'process' })
  await first.service.close()
  await docker.end('SIGKILL')

  const second = await startTestService({ dataDir, engine })
  const again = caller(second, token)
  expect(await again(`GET /servers/status/${runs.id}`)).toMatchObject({
    ...{ status: 'offline', failure: { work: 'find', error: { code: 'engine.not-reached' } } },
  })
  const tries = [
    ...['start', 'stop', 'kill'].map((action) => [`POST /servers/power/${runs.id}`, { action }] as const),
    [`DELETE /servers/${runs.id}?confirm=Three`, undefined] as const,
    [`POST /servers/command/${runs.id}`, { command: 'list' }] as const,
  ]
  for (const [route, body] of tries)
    expect(await second.call(route, { token, body })).toMatchObject({
      ...{ status: 409, body: { error: { code: 'engine.not-reached' } } },
    })
  expect((await texts(again, runs.id)).at(-1)).toContain('it isn’t known whether this server is running')

  await docker.start()
  await until(again, runs.id, 'online')
  await until(again, marked.id, 'online')
  expect(await texts(again, runs.id)).toContain(
    'The service is back and reconnected: the server kept running in the meantime.',
  )
  expect(await startOf()).toBe(started)
  for (const { id } of [runs, marked]) await again(`POST /servers/power/${id}`, { action: 'kill' })
})
