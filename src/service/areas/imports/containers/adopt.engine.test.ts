import { existsSync, readFileSync } from 'node:fs'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DockerEngine } from '../../../../../tests/fixtures/docker-engine.ts'
import { systemClock } from '../../../base/clock.ts'
import type { EngineSettings } from '../../../runtime/containers/engine.ts'
import {
  openTestService,
  startTestService,
  temporaryFolder,
  type TestService,
} from '../../../service.fixture.ts'
import { openStore } from '../../../store/store.ts'

const PROGRAM = path.resolve('tests/doubles/itzg-server.ts')
const IMAGE = 'itzg/minecraft-server:java21'
const EMAIL = 'ann@example.org'

let docker: DockerEngine
let engine: EngineSettings
let port = 23_000

beforeAll(async () => {
  docker = await DockerEngine.open()
  engine = { address: docker.address, tls: null, image: await docker.image() }
  await docker.docker('tag', engine.image, IMAGE)
})
afterAll(() => docker.close())

interface RunOptions {
  folder: string
  port: number
  more?: string[]
  env?: Record<string, string>
}

/** As a person would make it, with `-i`. */
async function run(name: string, { folder, port, more = ['-i'], env = {} }: RunOptions): Promise<string> {
  const all = { EULA: 'TRUE', TYPE: 'PAPER', VERSION: '1.21.4', MEMORY: '2G', ...env }
  return docker.docker(
    ...['run', '-d', '--name', name, ...more, '-p', `127.0.0.1:${port}:25565`],
    ...['-v', `${folder}:/data`, '-v', `${process.execPath}:${process.execPath}:ro`],
    ...['-v', `${PROGRAM}:/itzg-server.ts:ro`],
    ...Object.entries(all).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
    ...[IMAGE, process.execPath, '/itzg-server.ts'],
  )
}

/** A folder of a container's server beside the data folder of a service. */
async function folders(): Promise<{ dataDir: string; folder: string; port: number }> {
  const all = await temporaryFolder()
  const [dataDir, folder] = [path.join(all, 'service'), path.join(all, 'mc')]
  for (const one of [dataDir, folder]) await mkdir(one)
  return { dataDir, folder, port: ++port }
}

async function gone(name: string): Promise<void> {
  await docker.docker('rm', '-f', name).catch(() => undefined)
}

async function owner(service: TestService, dataDir: string): Promise<string> {
  const token = await service.account(EMAIL)
  const store = await openStore(path.join(dataDir, 'service.db'), { clock: systemClock })
  store.accounts.ownService(EMAIL)
  await store.close()
  return token
}

const caller = (service: TestService, token: string) => async (route: string, body?: unknown) => {
  const { status, body: answer } = await service.call(route, { token, body })
  if (status >= 400) throw new Error(`${route}: ${status} ${JSON.stringify(answer)}`)
  return answer
}
type Ask = ReturnType<typeof caller>

const until = (ask: Ask, id: string, status: string) =>
  expect.poll(async () => (await ask(`GET /servers/status/${id}`)).status).toBe(status)

async function texts(ask: Ask, id: string): Promise<string[]> {
  const lines: string[] = []
  for (let before = ''; ;) {
    const { items } = await ask(`GET /servers/console/${id}?limit=1000${before}`)
    lines.unshift(...items.map(({ text }: { text: string }) => text))
    if (items.length < 1000) return lines
    before = `&before=${items[0].id}`
  }
}

const ticks = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => Number(/^tick (\d+)$/.exec(line)?.[1] ?? NaN)).filter((at) => !Number.isNaN(at))

/** None missing, none twice. */
async function expectAllTicks(ask: Ask, id: string): Promise<void> {
  const all = ticks(await texts(ask, id))
  expect(all).toEqual(all.map((_, at) => all[0]! + at))
}

const inspect = (name: string) =>
  docker.docker('inspect', '-f', '{{.Id}} {{.State.Running}} {{.Config.Env}} {{.HostConfig.Memory}}', name)

test('a container is adopted as it is, and its console, power, files and backups are a server’s', async () => {
  const { dataDir, folder, port } = await folders()
  onTestFinished(() => gone('mc'))
  const made = await run('mc', { folder, port, env: { SAVE_MS: '300', VERSION: 'LATEST' } })
  await writeFile(path.join(folder, 'server.properties'), 'motd=Ours\nserver-port=25565\n')
  const before = await inspect('mc')
  const service = await startTestService({ dataDir, engine })
  const ask = caller(service, await owner(service, dataDir))

  expect((await ask('GET /containers')).items).toEqual([
    {
      ...{
        name: 'mc',
        image: expect.stringContaining(IMAGE) as string,
        memoryMb: 2048,
        port,
        folder,
        running: true,
        error: null,
      },
      software: { id: 'paper', name: null, version: null },
    },
  ])
  const server = await ask('POST /containers', { name: 'mc' })
  expect(server).toMatchObject({ name: 'mc', memoryMb: 2048, address: { port }, software: { id: 'paper' } })
  const { id } = server
  await until(ask, id, 'online')
  expect(await ask(`GET /servers/stats/${id}`)).toMatchObject({ memoryBytes: expect.any(Number) as number })
  await ask(`POST /servers/command/${id}`, { command: 'hello' })
  await expect.poll(() => texts(ask, id)).toContain('[12:00:00 INFO]: heard hello')
  await expectAllTicks(ask, id)
  expect(ticks(await texts(ask, id))[0]).toBe(0)

  // Its own time: the panel sends no command, and waits for it to save.
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await until(ask, id, 'offline')
  expect((await texts(ask, id)).slice(-3)).toEqual([
    '[12:00:00 INFO]: Stopping server',
    '[12:00:00 INFO]: All chunks are saved',
    'The server has stopped.',
  ])
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await until(ask, id, 'online')
  await ask(`POST /servers/power/${id}`, { action: 'restart' })
  await expect.poll(async () => (await texts(ask, id)).filter((one) => one.includes('Done (')).length).toBe(3)
  await until(ask, id, 'online')
  await expectAllTicks(ask, id)

  await ask(`POST /servers/files/folder/${id}`, { path: 'plugins' })
  expect(existsSync(path.join(folder, 'plugins'))).toBe(true)
  await ask(`PATCH /servers/config/${id}`, { name: 'Mine', properties: [{ key: 'motd', value: 'Changed' }] })
  expect(readFileSync(path.join(folder, 'server.properties'), 'utf8')).toContain('motd=Changed')
  await ask(`POST /servers/power/${id}`, { action: 'kill' })
  await until(ask, id, 'offline')
  await ask(`POST /servers/backups/${id}`, {})
  await expect
    .poll(async () => (await ask(`GET /servers/backups/${id}`)).items)
    .toMatchObject([{ state: 'done' }])
  await writeFile(path.join(folder, 'server.properties'), 'motd=Broken\n')
  const [backup] = (await ask(`GET /servers/backups/${id}`)).items
  await ask(`POST /servers/backups/restore/${id}`, { backup: backup.id, to: 'here' })
  await expect.poll(() => readFile(path.join(folder, 'server.properties'), 'utf8')).toContain('motd=Changed')
  await until(ask, id, 'offline')

  // Nothing of the container was changed, and nothing of it goes with the server.
  const files = readFileSync(path.join(folder, 'count.txt'), 'utf8')
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await until(ask, id, 'online')
  await ask(`DELETE /servers/${id}?confirm=Mine`)
  expect((await ask('GET /servers')).items).toEqual([])
  expect(await inspect('mc')).toBe(before)
  expect(before.startsWith(`${made} true`)).toBe(true)
  expect(readFileSync(path.join(folder, 'count.txt'), 'utf8')).toBe(files)
  expect(existsSync(path.join(dataDir, 'servers', id))).toBe(false)
  expect((await ask('GET /containers')).items).toMatchObject([{ name: 'mc', error: null }])
})

test('it outlives the service and is found again, made anew too, and no line is lost', async () => {
  const { dataDir, folder, port } = await folders()
  onTestFinished(() => gone('kept'))
  await run('kept', { folder, port, more: ['-i', '-t'] })
  const first = await openTestService({ dataDir, engine })
  const token = await owner(first, dataDir)
  const { id } = await caller(first, token)('POST /containers', { name: 'kept' })
  await until(caller(first, token), id, 'online')
  await expect.poll(async () => ticks(await texts(caller(first, token), id)).length).toBeGreaterThan(100)
  await first.service.close()

  const second = await openTestService({ dataDir, engine })
  const again = caller(second, token)
  await until(again, id, 'online')
  const { length } = ticks(await texts(again, id))
  await expect.poll(async () => ticks(await texts(again, id)).length).toBeGreaterThan(length + 100)
  await expectAllTicks(again, id)
  await second.service.close()
  await docker.docker('stop', '-t', '10', 'kept')

  // What it wrote until it ended is read, though nobody was there.
  const third = await startTestService({ dataDir, engine })
  const ask = caller(third, token)
  await until(ask, id, 'offline')
  await expectAllTicks(ask, id)
  expect((await texts(ask, id)).slice(-2)).toEqual([
    '[12:00:00 INFO]: All chunks are saved',
    'The server has stopped.',
  ])
  expect(await texts(ask, id)).toContain('The container ended while the service was away.')
  // Started by others.
  await docker.docker('start', 'kept')
  await until(ask, id, 'online')

  // Stopped, removed and made anew by others, as `docker compose up` does.
  await docker.docker('stop', '-t', '10', 'kept')
  await until(ask, id, 'offline')
  await docker.docker('rm', 'kept')
  const start = await third.call(`POST /servers/power/${id}`, { token, body: { action: 'start' } })
  expect(start.status).toBe(202)
  await expect.poll(() => texts(ask, id)).toContainEqual(expect.stringContaining('no longer exists'))
  await run('kept', {
    folder,
    port: port + 500,
    more: ['-i', '-t'],
    env: { VERSION: '1.21.5', MEMORY: '3G' },
  })
  await until(ask, id, 'online')
  await expectAllTicks(ask, id)
  await expect
    .poll(() => ask(`GET /servers/${id}`))
    .toMatchObject({
      ...{ software: { id: 'paper', version: '1.21.5' }, memoryMb: 3072, address: { port: port + 500 } },
    })

  // Of the same name, with another folder: it is another server's.
  await gone('kept')
  await until(ask, id, 'offline')
  await run('kept', { folder: (await folders()).folder, port })
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await expect.poll(() => texts(ask, id)).toContainEqual(expect.stringContaining('now has another folder'))
  expect(await ask(`GET /servers/status/${id}`)).not.toMatchObject({ status: 'online' })
})

test('one that crashes is said to have, and followed when its engine starts it again', async () => {
  const { dataDir, folder, port } = await folders()
  onTestFinished(() => gone('again'))
  await run('again', { folder, port, more: ['-i', '--restart', 'always'], env: { TICK_MS: '1000000' } })
  const service = await startTestService({ dataDir, engine })
  const ask = caller(service, await owner(service, dataDir))
  const { id } = await ask('POST /containers', { name: 'again' })
  await until(ask, id, 'online')
  await ask(`POST /servers/command/${id}`, { command: 'crash' })
  await expect.poll(async () => (await texts(ask, id)).filter((one) => one.includes('Done (')).length).toBe(2)
  await until(ask, id, 'online')
  const said = (await texts(ask, id)).filter((one) => !one.startsWith('['))
  expect(said).toEqual([
    'The container is running, and its console is shown from here on.',
    'crash',
    expect.stringMatching(/^The server crashed \(exit code 1\)/),
    'The container is running, and its console is shown from here on.',
  ])
  // Stopped here, it stays so.
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await until(ask, id, 'offline')
  expect(await inspect('again')).toContain(' false ')
})

test('what a container decides is not changed here, and one without an input says how to give it one', async () => {
  const { dataDir, folder, port } = await folders()
  onTestFinished(() => gone('deaf'))
  await run('deaf', { folder, port, more: [] })
  const service = await startTestService({ dataDir, engine })
  const token = await owner(service, dataDir)
  const ask = caller(service, token)
  const { id } = await ask('POST /containers', { name: 'deaf' })
  await until(ask, id, 'online')
  const config = await ask(`GET /servers/config/${id}`)
  expect(config).toMatchObject({ container: 'deaf', memoryMb: 2048, port })
  for (const field of ['driver', 'java', 'autoStart', 'autoRestart', 'sleep', 'cpus'])
    expect(config).not.toHaveProperty(field)
  const refused: [string, object, string][] = [
    [`PATCH /servers/config/${id}`, { memoryMb: 1024 }, 'adopted.decides'],
    [`PATCH /servers/config/${id}`, { port: 25_000 }, 'adopted.decides'],
    [`PATCH /servers/config/${id}`, { driver: 'docker' }, 'adopted.decides'],
    [`POST /servers/reset/${id}`, { keep: [] }, 'adopted.decides'],
    [`POST /servers/duplicate/${id}`, { name: 'Copy' }, 'adopted.copy'],
    [`POST /servers/command/${id}`, { command: 'list' }, 'adopted.no-input'],
    ['POST /containers', { name: 'deaf' }, 'adopted.not-found'],
    ['POST /containers', { name: '../json' }, 'adopted.not-found'],
  ]
  for (const [route, body, code] of refused) {
    const answer = await service.call(route, { token, body })
    expect([route, answer.body.error?.code]).toEqual([route, code])
  }
})

test('what can’t be adopted says why, and others than the owner are told of none', async () => {
  const { dataDir, folder, port } = await folders()
  const names = ['bare', 'theirs', 'inner', 'portless', 'mute', 'twin', 'ours']
  onTestFinished(() => Promise.all(names.map(gone)).then(() => undefined))
  const theirs = (await folders()).folder
  await chown(theirs, 1234, 1234)
  const create = (name: string, ...more: string[]) =>
    docker.docker('create', '--name', name, ...more, IMAGE, 'sleep', '1')
  const published = ['-p', `${port}:25565`]
  await create('bare', ...published)
  await create('theirs', '-v', `${theirs}:/data`, ...published)
  await create('inner', '-v', `${dataDir}/servers:/data`, ...published)
  await create('portless', '-v', `${folder}:/data`)
  await create('mute', '-v', `${folder}:/data`, ...published, '--log-driver', 'none')
  await create('ours', '-v', `${folder}:/data`, '--label', 'wheelhouse.service=/elsewhere')
  const service = await startTestService({ dataDir, engine })
  const token = await owner(service, dataDir)
  const ask = caller(service, token)
  const problems = async () =>
    Object.fromEntries(
      (await ask('GET /containers')).items.map(
        ({ name, error }: { name: string; error: { code: string } | null }) => [name, error?.code],
      ),
    )
  expect(await problems()).toEqual({
    ...{ bare: 'adopted.no-folder', theirs: 'adopted.other-user', inner: 'adopted.own-folder' },
    ...{ portless: 'adopted.no-port', mute: 'adopted.no-log' },
  })
  // Of another image, by its label; once adopted, nobody else gets its folder.
  await docker.docker(
    ...['create', '--name', 'twin', '--label', 'wheelhouse.adopt=/srv/world', ...published],
    ...['-v', `${folder}:/srv/world`, engine.image, 'sleep', '1'],
  )
  const twin = await ask('POST /containers', { name: 'twin' })
  expect(twin).toMatchObject({ name: 'twin', status: 'offline', address: { port } })
  expect(await problems()).toMatchObject({ portless: 'adopted.taken', mute: 'adopted.taken' })
  const answer = await service.call('POST /containers', { token, body: { name: 'mute' } })
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'adopted.taken' } } })

  const stranger = await service.account('bea@example.org')
  expect((await caller(service, stranger)('GET /containers')).items).toEqual([])
  const adopt = await service.call('POST /containers', { token: stranger, body: { name: 'bare' } })
  expect(adopt).toMatchObject({ status: 403, body: { error: { code: 'adopted.owner' } } })
})
