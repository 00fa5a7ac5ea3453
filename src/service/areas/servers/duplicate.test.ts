import fs, { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { traces } from '../../../../tests/doubles/crowd/crowd.ts'
import { openTestService, startTestService, temporaryFolder } from '../../service.fixture.ts'

const SECRET = 'a'.repeat(40)

async function withServer(bounds = {}) {
  const dataDir = await temporaryFolder()
  const { call, account, service } = await startTestService({ dataDir, bounds })
  const token = await account('ann@example.org')
  const ask = (route: string, body?: unknown) => call(route, { token, body })
  const [software] = (await ask('GET /software')).body.items
  const [version] = (await ask(`GET /software/${software.id}/versions`)).body.items
  const { body } = await ask('POST /servers', {
    ...{ name: 'one', memoryMb: 512, software: { id: software.id, version: version.id } },
  })
  const id = String(body.id)
  const folder = path.join(dataDir, 'servers', id)
  await mkdir(path.join(folder, 'world', 'region'), { recursive: true })
  await mkdir(path.join(folder, 'logs'))
  await writeFile(path.join(folder, 'world', 'region', 'r.0.0.mca'), 'blocks')
  await writeFile(path.join(folder, 'logs', 'latest.log'), 'a log')
  await writeFile(path.join(folder, 'forwarding.secret'), 'a secret')
  await writeFile(
    path.join(folder, 'server.properties'),
    `# kept\nmotd=Caf\\u00e9\nrcon.password=hunter2\nmanagement-server-secret=${SECRET}\n`,
  )
  return { ask, call, account, token, service, dataDir, folder, id, port: Number(body.address.port) }
}

it('a copy has the files and settings of a server, its own id and port, and nothing of its past or its secrets', async () => {
  const { ask, id, port, dataDir, call, account } = await withServer()
  await ask(`PATCH /servers/config/${id}`, { autoStart: true, autoRestart: true })
  const friend = await account('ben@example.org')
  await ask(`POST /servers/access/${id}`, { email: 'ben@example.org', scopes: ['server.read'] })
  const made = await ask(`POST /servers/duplicate/${id}`, { name: 'two' })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ name: 'two', role: 'owner', memoryMb: 512, status: 'offline' })
  expect(made.body.id).not.toBe(id)
  expect(made.body.address.port).toBe(port + 1)
  const copy = path.join(dataDir, 'servers', made.body.id)
  expect(await readFile(path.join(copy, 'world', 'region', 'r.0.0.mca'), 'utf8')).toBe('blocks')
  expect(await readFile(path.join(copy, 'server.properties'), 'utf8')).toBe(
    '# kept\nmotd=Caf\\u00e9\nrcon.password=\nmanagement-server-secret=\n',
  )
  expect(readdirSync(copy).sort()).toEqual(['server.properties', 'world'])
  const config = (await ask(`GET /servers/config/${made.body.id}`)).body
  expect(config).toMatchObject({ autoStart: false, autoRestart: true })
  expect((await ask(`GET /servers/access/${made.body.id}`)).body.items.length).toBeLessThan(2)
  expect((await call(`GET /servers/${made.body.id}`, { token: friend })).status).toBe(404)
})

it('a server that runs is not copied, nor is one by anybody but its owner', async () => {
  const { ask, id } = await withServer()
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  const refused = await ask(`POST /servers/duplicate/${id}`, { name: 'two' })
  expect(refused.body.error.code).toBe('server.running')
  expect((await ask('GET /servers')).body.items).toHaveLength(1)
})

it('a server that is still being stopped is not copied either', async () => {
  const { ask, id } = await withServer()
  const status = async () => (await ask(`GET /servers/status/${id}`)).body.status
  await ask(`POST /servers/power/${id}`, { action: 'start' })
  await expect.poll(status, { interval: 20, timeout: 20_000 }).toBe('online')
  await ask(`POST /servers/power/${id}`, { action: 'stop' })
  expect(await status()).toBe('stopping')
  const refused = await ask(`POST /servers/duplicate/${id}`, { name: 'two' })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'server.running'])
  expect((await ask('GET /servers')).body.items).toHaveLength(1)
})

it('who may have no more servers is told before anything is copied', async () => {
  const { ask, id, dataDir } = await withServer({ servers: 1 })
  // Nothing can be copied to here.
  await rm(path.join(dataDir, 'staging', id), { recursive: true, force: true })
  await writeFile(path.join(dataDir, 'staging', id), '')
  const refused = await ask(`POST /servers/duplicate/${id}`, { name: 'two' })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'server.too-many'])
})

it('a copy never holds one part from before and one from after a change that was undone meanwhile', async () => {
  const { ask, id, folder, dataDir } = await withServer()
  await mkdir(path.join(folder, 'aaa'))
  for (let number = 0; number < 300; number++) await writeFile(path.join(folder, 'aaa', String(number)), '')
  await ask(`POST /servers/reset/${id}`, { keep: ['files'] })
  const settled = () => ask(`GET /servers/software/${id}`)
  await expect.poll(async () => (await settled()).body.copy?.reason, { interval: 20 }).toBe('reset')
  await expect.poll(async () => (await ask(`GET /servers/status/${id}`)).body.status).toBe('offline')
  const copying = ask(`POST /servers/duplicate/${id}`, { name: 'two' })
  const staging = path.join(dataDir, 'staging', id)
  const isCopied = () => readdirSync(staging).some((name) => existsSync(path.join(staging, name, 'aaa/0')))
  await expect.poll(isCopied, { interval: 1 }).toBe(true)
  expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
  const refused = await copying
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'server.changed'])
  expect(readdirSync(staging).filter((name) => name.startsWith('tmp-'))).toEqual([])
  expect((await ask('GET /servers')).body.items).toHaveLength(1)
})

it('a copy that cannot be written down leaves nothing behind', async () => {
  const { ask, id, dataDir } = await withServer()
  const db = new DatabaseSync(path.join(dataDir, 'service.db'))
  onTestFinished(() => db.close())
  db.exec(
    "CREATE TRIGGER full BEFORE INSERT ON servers BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  )
  expect((await ask(`POST /servers/duplicate/${id}`, { name: 'two' })).status).toBeGreaterThanOrEqual(500)
  expect((await traces(dataDir)).ids).toEqual([id])
  expect(readdirSync(path.join(dataDir, 'staging', id))).toEqual([])
  expect((await ask('GET /servers')).body.items).toHaveLength(1)
})

it('of a process that was killed in between nothing is there after the next start', async () => {
  const { service, dataDir, id } = await withServer()
  await service.close()
  // Half copied; and whole, but not in the list yet; and in the list, but not in its place yet.
  await mkdir(path.join(dataDir, 'staging', id, 'tmp-half', 'world'), { recursive: true })
  await mkdir(path.join(dataDir, 'removed'), { recursive: true })
  const other = '11111111-2222-3333-4444-555555555555'
  await mkdir(path.join(dataDir, 'removed', other, 'world'), { recursive: true })
  const row = '11111111-2222-3333-4444-666666666666'
  const db = new DatabaseSync(path.join(dataDir, 'service.db'))
  db.exec(
    `INSERT INTO servers (id, owner_id, name, software_id, software_version, memory_mb, port, created_at)
     SELECT '${row}', owner_id, 'two', software_id, software_version, memory_mb, port + 1, created_at FROM servers`,
  )
  db.close()
  await mkdir(path.join(dataDir, 'removed', row, 'world'), { recursive: true })
  await startTestService({ dataDir })
  expect((await traces(dataDir)).ids).toEqual([id])
  await expect.poll(() => existsSync(path.join(dataDir, 'staging', id, 'tmp-half'))).toBe(false)
})

it('a copy whose last step fails is taken away again', async () => {
  const catalogs = await CatalogServer.start()
  const dataDir = await temporaryFolder()
  offerFill(catalogs, 'paper', [{ id: '1.20.4', java: 17, builds: [{ id: 1, jar: Buffer.from('a jar') }] }])
  const { call, account, service } = await openTestService({ dataDir, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await service.close(true)
    await catalogs.stop()
  })
  const token = await account('ann@example.org')
  const software = { id: 'paper', version: '1.20.4' }
  const body = { name: 'one', memoryMb: 512, software, acceptLicense: true }
  const id = String((await call('POST /servers', { token, body })).body.id)
  const status = async () => (await call(`GET /servers/status/${id}`, { token })).body.status
  await expect.poll(status, { interval: 20, timeout: 15_000 }).toBe('offline')
  // What is installed for the new one cannot be written down.
  const real = fs.renameSync
  fs.renameSync = (from, to) => {
    if (path.dirname(String(to)) === path.join(dataDir, 'software', 'installed'))
      throw Object.assign(new Error('the disk fails'), { code: 'EIO' })
    real(from, to)
  }
  syncBuiltinESMExports()
  const refused = await call(`POST /servers/duplicate/${id}`, { token, body: { name: 'two' } })
  fs.renameSync = real
  syncBuiltinESMExports()
  expect(refused.status).toBeGreaterThanOrEqual(500)
  expect((await call('GET /servers', { token })).body.items).toHaveLength(1)
  expect((await traces(dataDir)).ids).toEqual([id])
  expect(readdirSync(path.join(dataDir, 'servers'))).toEqual([id])
  expect((await call(`POST /servers/duplicate/${id}`, { token, body: { name: 'two' } })).status).toBe(201)
})
