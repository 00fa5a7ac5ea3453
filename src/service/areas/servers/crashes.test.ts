import { createServer } from 'node:net'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { type JarOfExtension, pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { startJavaServer } from '../../../../tests/doubles/running-java-server.ts'
import { levelDat } from '../../../../tests/fixtures/moved-server.ts'
import { memoryMb } from '../../../host/computer-memory.ts'
import type { ServiceOptions } from '../../service.ts'
import { openTestService, temporaryFolder } from '../../service.fixture.ts'

const VERSION = '1.20.4'
const NEWER = '1.20.6'

/** A service with a Paper server, and what its owner asks. It can be stopped and started again. */
async function openPaper() {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const dataDir = await temporaryFolder()
  const jar = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  const newer = await readFile(await javaServerJar({ kind: 'paper', version: NEWER, build: '9' }))
  offerFill(catalogs, 'paper', [
    { id: NEWER, java: 17, builds: [{ id: 9, jar: newer }] },
    { id: VERSION, java: 17, builds: [{ id: 499, jar }] },
  ])
  // How often it is looked up yet whose the server is before it is nobody's.
  let left = Infinity
  const held: ServiceOptions['held'] = () => (left-- > 0 ? 'owner' : null)
  let it = await openTestService({ dataDir, catalogs: catalogs.settings, held })
  onTestFinished(() => it.service.close(true))
  const token = await it.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => {
    const { status, body: answer } = await it.call(route, { token, body })
    return { status, body: answer }
  }
  const wanted = { id: 'paper', version: VERSION }
  const made = await ask('POST /servers', {
    ...{ name: 'My server', software: wanted, memoryMb: 512, acceptLicense: true },
  })
  const { id } = made.body
  const reaches = (status: string) =>
    expect
      .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, { interval: 20 })
      .toBe(status)
  const start = () => ask(`POST /servers/power/${id}`, { action: 'start' })
  await reaches('offline')
  return {
    ...{ ask, id: String(id), port: Number(made.body.address.port), reaches, start, dataDir, catalogs },
    losesItAfter: (times: number) => void (left = times),
    folder: path.join(dataDir, 'servers', id),
    crash: async () => (await ask(`GET /servers/crash/${id}`)).body,
    said: async (): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text),
    async crashes(command: string) {
      await start()
      await reaches('online')
      await ask(`POST /servers/command/${id}`, { command })
      await reaches('crashed')
    },
    async startAgain() {
      await it.service.close(true)
      it = await openTestService({ dataDir, catalogs: catalogs.settings })
    },
  }
}

it('the cause of a crash is told, also after the service was started again, and is gone once the server is online', async () => {
  const { crash, crashes, reaches, start, startAgain, ask, id } = await openPaper()
  expect(await crash()).toEqual({})
  await crashes('crash memory')
  const told = {
    ...{ cause: 'out-of-memory', facts: { where: 'heap' }, exitCode: 1, files: [] },
    ...{ evidence: expect.stringContaining('OutOfMemoryError'), at: expect.any(String) },
    lines: expect.arrayContaining([expect.stringContaining('OutOfMemoryError')]),
  }
  const first = await crash()
  expect(first).toEqual(told)
  await startAgain()
  expect((await ask(`GET /servers/status/${id}`)).body).toMatchObject({
    ...{ status: 'crashed', exitCode: 1, since: first.at },
  })
  expect(await crash()).toEqual(first)
  await start()
  await reaches('online')
  expect(await crash()).toEqual({})
})

it('the log of the run that crashed is told without addresses and names, whole and of that run alone', async () => {
  const { ask, id, folder, start, reaches, startAgain } = await openPaper()
  await writeFile(path.join(folder, 'banned-players.json'), JSON.stringify([{ name: 'Robert' }]))
  await start()
  await reaches('online')
  await ask(`POST /servers/command/${id}`, { command: 'join my-name' })
  await ask(`POST /servers/command/${id}`, { command: 'say an earlier run' })
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await reaches('offline')
  expect((await ask(`GET /servers/crash/log/${id}`)).body.error.code).toBe('server.not-crashed')
  await start()
  await reaches('online')
  await ask(`POST /servers/command/${id}`, { command: 'join Steve' })
  // Nothing else in this run shows that these two are players.
  await ask(`POST /servers/command/${id}`, { command: 'say Robert and my-name were here' })
  await ask(`POST /servers/command/${id}`, { command: 'crash port-vanilla' })
  await reaches('crashed')
  await startAgain()
  const { body } = await ask(`GET /servers/crash/log/${id}`)
  expect(body.text).toMatch(/^Starting Paper 1\.20\.4\.\n/)
  expect(body.text).toMatch(/Player\d joined the game/)
  expect(body.text).toMatch(/The server crashed \(exit code \d+\): Port \d+ is already in use/)
  expect(body.text).not.toMatch(/an earlier run|Steve|Robert|my-name/)
  expect(body).toMatchObject({ cut: false, removed: { players: 3, ids: expect.any(Number) } })
})

it('another port is given: the next that is free, or the one that is wished where nothing listens there', async () => {
  const { ask, id, port, start, reaches, crash } = await openPaper()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  expect((await start()).body.error.code).toBe('server.port-taken')
  const moved = await ask(`POST /servers/port/${id}`, {})
  expect(moved).toEqual({ status: 200, body: { port: port + 1 } })
  await start()
  await reaches('online')
  expect((await ask(`POST /servers/port/${id}`, {})).body.error.code).toBe('server.running')
  expect((await ask(`GET /servers/${id}`)).body.address.port).toBe(port + 1)
  await ask(`POST /servers/command/${id}`, { command: 'crash port-vanilla' })
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'port-in-use', facts: { port: 25566 } })
  expect((await ask(`POST /servers/port/${id}`, { port })).body.error).toMatchObject({
    ...{
      code: 'server.port-taken',
      message: `Port ${port} is in use. ${port + 2} is free: choose that one, or another.`,
    },
  })
})

it('a port is not changed by who has lost the server while a free one was looked for', async () => {
  const { ask, id, port, losesItAfter } = await openPaper()
  // It is looked up when it is asked for, when its body is there, and right before the port is changed.
  for (const times of [1, 2]) {
    losesItAfter(times)
    expect((await ask(`POST /servers/port/${id}`, {})).status).toBe(404)
    losesItAfter(Infinity)
    expect((await ask(`GET /servers/${id}`)).body.address.port).toBe(port)
  }
  expect((await ask(`POST /servers/port/${id}`, {})).status).toBe(200)
})

it('a license is accepted by the owner: who and when is kept, and the server starts', async () => {
  const { ask, id, start, reaches, crash, folder, dataDir } = await openPaper()
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'eula.txt'), 'eula=false\n')
  await start()
  await reaches('crashed')
  const { license, cause } = await crash()
  expect({ license, cause }).toEqual({
    ...{ cause: 'eula', license: { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' } },
  })
  const other = await ask(`POST /servers/license/${id}`, { url: 'https://example.org/other' })
  expect(other.body.error.code).toBe('software.license-other')
  const before = Date.now()
  expect((await ask(`POST /servers/license/${id}`, { url: license.url })).status).toBe(204)
  const db = new DatabaseSync(path.join(dataDir, 'service.db'), { readOnly: true })
  onTestFinished(() => db.close())
  const row = db
    .prepare('SELECT owner_id, license_accepted_by AS who, license_accepted_at AS at FROM servers')
    .get()
  expect(row?.['who']).toBe(row?.['owner_id'])
  expect(Number(row?.['at'])).toBeGreaterThanOrEqual(before)
  await start()
  await reaches('online')
})

it('the jar that a crash is about is named, whether its file or its own description says so', async () => {
  const { crashes, crash, folder, start, reaches, ask, id } = await openPaper()
  await mkdir(path.join(folder, 'plugins'), { recursive: true })
  const jar = await readFile(
    await javaServerJar({ kind: 'paper', entries: { 'plugin.yml': "name: 'ShopSigns'\nmain: a.B\n" } }),
  )
  await writeFile(path.join(folder, 'plugins', 'shop.jar'), jar)
  await writeFile(path.join(folder, 'plugins', 'broken.jar'), 'no jar')
  await crashes('crash missing-bukkit')
  expect((await crash()).cause).toBe('missing-dependency')
  await start()
  await reaches('online')
  await ask(`POST /servers/command/${id}`, { command: 'crash missing-paper' })
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'missing-dependency', files: ['plugins/shop.jar'] })
})

it('an exception names the first plugin of its trace, and nothing if only the server is in it', async () => {
  const { crashes, crash, folder, start, reaches, ask, id } = await openPaper()
  await mkdir(path.join(folder, 'plugins'), { recursive: true })
  const put = async (name: string, plugin: string) =>
    writeFile(
      path.join(folder, 'plugins', name),
      await pluginJar({ name: plugin, version: '1', form: 'paper' }),
    )
  await crashes('crash trace-paper')
  expect(await crash()).toMatchObject({ cause: null, files: [] })
  expect((await crash()).evidence).toMatch(/^java\.lang\.NullPointerException: /)
  await put('clock-lib.jar', 'Clock')
  await put('shop-2.1.jar', 'Shop')
  await start()
  await reaches('online')
  await ask(`POST /servers/command/${id}`, { command: 'crash trace-paper' })
  await reaches('crashed')
  // Jars that are not read in time are named at the next question.
  await expect
    .poll(crash, { timeout: 30_000 })
    .toMatchObject({ cause: 'extension-error', files: ['plugins/shop-2.1.jar'] })
})

it('a crash names the jars of its mods, or the jar that bundles them if no other matches', async () => {
  const { crashes, crash, folder, ask, id, start, reaches } = await openPaper()
  await mkdir(path.join(folder, 'mods'), { recursive: true })
  const put = async (name: string, jar: JarOfExtension) =>
    writeFile(path.join(folder, 'mods', name), await pluginJar(jar))
  const fabric = { version: '1', form: 'fabric' } as const
  const delight = { ...fabric, name: "Baker's Delight", files: { 'fabric.mod.json': DELIGHT } }
  await put('a.jar', delight)
  await put('off.jar.disabled', delight)
  const doors = await pluginJar({ ...fabric, name: 'sturdydoors' })
  await put('outer.jar', { ...fabric, name: 'Outer', files: { 'META-INF/jars/doors.jar': doors } })
  await crashes('crash clash-fabric-apostrophes')
  expect(await crash()).toMatchObject({ cause: 'clashing-extensions', files: ['mods/a.jar'] })
  await start()
  await reaches('online')
  await ask(`POST /servers/command/${id}`, { command: 'crash minecraft-neoforge' })
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'wrong-minecraft', files: ['mods/outer.jar'] })
})

/** Fabric accepts line breaks in strings. */
const DELIGHT = `{"schemaVersion":1,"id":"bakersdelight","version":"1","name":"Baker's Delight","description":"two\nlines"}`

it('of a damaged world the file is named that its older copy can replace, and the region file in which a chunk is damaged', async () => {
  const { crash, crashes, folder, start, reaches, ask, id } = await openPaper()
  await mkdir(path.join(folder, 'world', 'region'), { recursive: true })
  await writeFile(path.join(folder, 'world', 'level.dat'), 'torn')
  await writeFile(path.join(folder, 'world', 'level.dat_old'), levelDat(VERSION))
  await start()
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'world-corrupt', files: ['world/level.dat'] })
  const items = [{ from: 'world/level.dat_old', to: 'world/level.dat' }]
  await ask(`POST /servers/files/copy/${id}`, { items, conflict: 'replace' })
  expect((await ask(`GET /servers/files/trash/${id}`)).body.items).toMatchObject([
    { path: 'world/level.dat' },
  ])
  await writeFile(path.join(folder, 'world', 'region', 'r.0.-1.mca'), 'torn')
  await crashes('crash chunk-vanilla')
  expect(await crash()).toMatchObject({ cause: 'chunk-corrupt', files: ['world/region/r.0.-1.mca'] })
})

it('a server with a broken datapack is started once without any, and the next start has them again', async () => {
  const { ask, id, crash, folder, start, reaches, said } = await openPaper()
  await mkdir(path.join(folder, 'world', 'datapacks'), { recursive: true })
  await writeFile(path.join(folder, 'world', 'datapacks', 'broken.zip'), 'no zip')
  await start()
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'datapacks', safely: true })
  expect((await ask(`POST /servers/power/safely/${id}`)).status).toBe(202)
  await reaches('online')
  expect(await said()).toContainEqual(expect.stringContaining('Safe mode active'))
  expect((await ask(`POST /servers/power/safely/${id}`)).body.error.code).toBe('server.running')
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  await reaches('offline')
  await start()
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'datapacks' })
})

it('what was downloaded and is not needed now is told with its size and deleted, and what came just now stays', async () => {
  const { ask, id, dataDir } = await openPaper()
  const contents = path.join(dataDir, 'software', 'downloads', 'content')
  const [jar] = await readdir(contents)
  await writeFile(path.join(contents, 'a'.repeat(64)), Buffer.alloc(1000))
  const route = `/servers/software/fetched/${id}`
  const told = { downloadBytes: 1000, javaBytes: 0, javas: [] }
  expect(await ask(`GET ${route}`)).toEqual({ status: 200, body: told })
  expect(await ask(`DELETE ${route}`)).toEqual({ status: 200, body: { freedBytes: 1000 } })
  expect(await readdir(contents)).toEqual([jar])
})

it('more memory than the computer has is refused with figures: when it is set, when a server is made, and at its start', async () => {
  const { ask, id, start, dataDir, startAgain } = await openPaper()
  const there = memoryMb()
  const tooMuch = there + 1
  const refusal = { code: 'software.memory', message: expect.stringContaining(`${there} MiB`) }
  expect((await ask(`PATCH /servers/config/${id}`, { memoryMb: tooMuch })).body.error).toMatchObject(refusal)
  const made = { name: 'b', software: { id: 'paper', version: VERSION }, acceptLicense: true }
  expect((await ask('POST /servers', { ...made, memoryMb: tooMuch })).body.error).toMatchObject(refusal)
  expect((await ask(`GET /servers/config/${id}`)).body).toMatchObject({ memoryMb: 512, memoryMostMb: there })
  const db = new DatabaseSync(path.join(dataDir, 'service.db'))
  db.exec(`UPDATE servers SET memory_mb = ${tooMuch}`)
  db.close()
  await startAgain()
  expect((await start()).body.error).toMatchObject(refusal)
})

it('a world that another process holds is told by its name, and the server starts once that has ended', async () => {
  const { crash, reaches, start, folder } = await openPaper()
  const other = await temporaryFolder()
  const jar = await javaServerJar({ kind: 'vanilla', version: VERSION })
  const holds = startJavaServer(jar, other, { 'server-port': 0, 'level-name': path.join(folder, 'world') })
  await holds.line(/Done/)
  await start()
  await reaches('crashed')
  expect(await crash()).toMatchObject({ cause: 'world-locked', facts: { world: 'world' } })
  holds.type('stop')
  await holds.ended
  await start()
  await reaches('online')
  expect(await crash()).toEqual({})
})

it('a world that a newer version has saved is told, and the server starts with that version', async () => {
  const { ask, id, crash, crashes, reaches, start } = await openPaper()
  await crashes('crash newer-chunk-paper')
  expect(await crash()).toMatchObject({ cause: 'world-newer', facts: { saved: 4189, present: 3955 } })
  expect((await ask(`PUT /servers/software/${id}`, { id: 'paper', version: NEWER })).status).toBe(202)
  await expect
    .poll(async () => (await ask(`GET /servers/software/${id}`)).body.version, {
      interval: 20,
      timeout: 20_000,
    })
    .toBe(NEWER)
  await reaches('crashed')
  await start()
  await reaches('online')
  expect(await crash()).toEqual({})
})
