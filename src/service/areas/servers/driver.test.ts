import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import type { EngineSettings } from '../../runtime/containers/engine.ts'
import {
  inContainers,
  openTestService,
  startTestService,
  temporaryFolder,
  type TestService,
} from '../../service.fixture.ts'
import { type Person, shared } from '../access/access.fixture.ts'

const ADDRESS = 'unix:///nowhere/docker.sock'
const engine: EngineSettings = { address: ADDRESS, tls: null, image: `sha256:${'0'.repeat(64)}` }

const configOf = (service: TestService, serverId: string) => ({
  read: async ({ token }: Pick<Person, 'token'>) =>
    (await service.call(`GET /servers/config/${serverId}`, { token })).body,
  change: ({ token }: Pick<Person, 'token'>, body: object) =>
    service.call(`PATCH /servers/config/${serverId}`, { token, body }),
})

test('a new server runs in a container, which its owner alone may change, and each core that it may use is kept', async () => {
  const { service, serverId, owner, other, share } = await shared({ engine })
  await share(other, ['server.read', 'config.read', 'config.write'])
  const { read, change } = configOf(service, serverId)
  expect(await read(owner)).toMatchObject({ driver: 'docker' })
  expect(await read(owner)).not.toHaveProperty('cpus')
  expect(await change(other, { driver: 'process', name: 'Theirs' })).toMatchObject({
    status: 403,
    body: { error: { code: 'engine.owner', fields: { driver: [expect.stringContaining('owner')] } } },
  })
  expect(await read(owner)).toMatchObject({ driver: 'docker', name: 'Mine' })
  // What it is already is no change.
  expect(await change(other, { driver: 'docker', cpus: 0.5 })).toMatchObject({
    status: 200,
    body: { cpus: 0.5 },
  })
  expect(await change(owner, { driver: 'process' })).toMatchObject({
    status: 200,
    body: { driver: 'process' },
  })
  // Still offered, so that it can be turned on again.
  expect(await read(other)).toMatchObject({ driver: 'process', cpus: 0.5 })
  expect((await change(other, { driver: 'docker' })).status).toBe(403)
  expect(await change(owner, { driver: 'docker', cpus: null })).toMatchObject({ status: 200 })
  expect(await read(owner)).toMatchObject({ driver: 'docker' })
  expect(await read(owner)).not.toHaveProperty('cpus')
})

test('cores that no engine can give are refused at their field', async () => {
  const { service, serverId, owner } = await shared({ engine })
  const { read, change } = configOf(service, serverId)
  for (const cpus of [0, 0.05, -1, 257, '2'])
    expect([cpus, (await change(owner, { cpus })).body.error?.fields]).toEqual([
      cpus,
      { cpus: [expect.any(String)] },
    ])
  expect(await read(owner)).not.toHaveProperty('cpus')
})

test.skipIf(inContainers)(
  'where the service has no engine, nothing is told of containers, and none can be turned on',
  async () => {
    const { service, serverId, owner } = await shared()
    const { read, change } = configOf(service, serverId)
    expect(await read(owner)).not.toHaveProperty('driver')
    expect(await change(owner, { driver: 'docker' })).toMatchObject({
      status: 409,
      body: { error: { code: 'engine.not-offered', fields: { driver: [expect.any(String)] } } },
    })
    expect((await change(owner, { driver: 'process' })).status).toBe(200)
    expect(await read(owner)).not.toHaveProperty('driver')
  },
)

test.skipIf(inContainers)(
  'a service that is started without its engine again says so of a server in a container, which can be taken out of it',
  async () => {
    const dataDir = await temporaryFolder()
    const first = await openTestService({ dataDir, engine })
    const token = await first.account('ann@example.org')
    const software = { id: 'demo', version: '1.20.4' }
    const { id } = (
      await first.call('POST /servers', { token, body: { name: 'Mine', software, memoryMb: 512 } })
    ).body
    await first.service.close(true)
    const service = await startTestService({ dataDir })
    const { read, change } = configOf(service, id)
    expect(await read({ token })).toMatchObject({ driver: 'docker' })
    expect(await failedStart(service, token, id)).toMatch(/this service has no container engine/)
    expect((await change({ token }, { driver: 'process' })).status).toBe(200)
    expect(await read({ token })).not.toHaveProperty('driver')
  },
)

test('a new proxy runs in a container, too, and can be taken out of it', async () => {
  const catalogs = await CatalogServer.start()
  onTestFinished(() => catalogs.stop())
  const version = '3.4.0-SNAPSHOT'
  const jar = await readFile(await javaServerJar({ kind: 'velocity', version }))
  offerFill(catalogs, 'velocity', [{ id: version, java: 17, builds: [{ id: 500, jar }] }])
  const service = await startTestService({ engine, catalogs: catalogs.settings })
  const token = await service.account('ann@example.org')
  const body = { name: 'Proxy', software: { id: 'velocity', version }, memoryMb: 512 }
  const { id } = (await service.call('POST /servers', { token, body })).body
  const { read, change } = configOf(service, id)
  expect(await read({ token })).toMatchObject({ name: 'Proxy', driver: 'docker' })
  expect(await change({ token }, { driver: 'process' })).toMatchObject({ status: 200 })
  expect(await read({ token })).toMatchObject({ driver: 'process' })
})

test('a server whose engine is not reached says so in its console, and has crashed', async () => {
  const { service, serverId, owner } = await shared({ engine })
  const last = await failedStart(service, owner.token, serverId)
  expect(last).toBe(
    `The server could not be started. The container engine at ${ADDRESS} cannot be reached (ENOENT). Start it, then start the server again.`,
  )
  const { body } = await service.call(`GET /servers/config/${serverId}`, { token: owner.token })
  expect(body).not.toHaveProperty('running')
  const crash = await service.call(`GET /servers/crash/${serverId}`, { token: owner.token })
  expect(crash.body.lines).toEqual([expect.stringContaining('cannot be reached (ENOENT)')])
})

/** The last line of the console once it has crashed. */
async function failedStart({ call }: TestService, token: string, serverId: string): Promise<string> {
  await call(`POST /servers/power/${serverId}`, { token, body: { action: 'start' } })
  await expect
    .poll(async () => (await call(`GET /servers/status/${serverId}`, { token })).body.status)
    .toBe('crashed')
  const { items } = (await call(`GET /servers/console/${serverId}`, { token })).body
  return String(items.at(-1).text)
}
