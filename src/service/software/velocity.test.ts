import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { offerFill } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'
import { pingServer } from '../worlds/server-list-ping.ts'

const VERSION = '3.4.0-SNAPSHOT'

/** A service with one proxy, which is installed. */
async function openProxy() {
  const catalogs = await CatalogServer.start()
  const dataDir = await temporaryFolder()
  const { service, account, call } = await openTestService({ dataDir, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await service.close(true)
    await catalogs.stop()
  })
  const jar = await readFile(await javaServerJar({ kind: 'velocity', version: VERSION }))
  offerFill(catalogs, 'velocity', [{ id: VERSION, java: 17, builds: [{ id: 500, jar }] }])
  const token = await account('ann@example.org')
  const ask = (route: string, body?: unknown) => call(route, { token, body })
  const software = { id: 'velocity', version: VERSION }
  const made = await ask('POST /servers', { name: 'Proxy', software, memoryMb: 512 })
  const { id } = made.body
  const status = async () => (await ask(`GET /servers/status/${id}`)).body
  const reaches = (wanted: string) =>
    expect.poll(async () => (await status()).status, { interval: 20 }).toBe(wanted)
  await reaches('offline')
  return {
    ...{ ask, id, status, reaches, made: made.body },
    power: (action: string) => ask(`POST /servers/power/${id}`, { action }),
    command: (command: string) => ask(`POST /servers/command/${id}`, { command }),
    at: (name: string) => path.join(dataDir, 'servers', id, name),
  }
}

it('a proxy is installed without a license, listens where its settings say, and is ended by its own command', async () => {
  const { ask, id, made, status, reaches, power, command, at } = await openProxy()
  expect(made.software).toMatchObject({ id: 'velocity', name: 'Velocity', proxy: true })
  const kinds = (await ask('GET /software')).body.items as { id: string }[]
  expect(kinds.filter((kind) => 'proxy' in kind).map((kind) => kind.id)).toEqual(['velocity'])

  const moved = (await ask(`POST /servers/port/${id}`, {})).body.port as number
  expect(moved).not.toBe(made.address.port)
  await power('start')
  await reaches('online')
  expect(await pingServer(moved)).toMatchObject({ players: { online: 0, max: 500 } })
  expect(await readFile(at('velocity.toml'), 'utf8')).toContain(`:${moved}"`)
  expect([existsSync(at('eula.txt')), existsSync(at('server.properties'))]).toEqual([false, false])

  await command('join Alex')
  await expect.poll(status).toMatchObject({ players: { online: 1, max: 500 } })
  const players = (await ask(`GET /servers/players/${id}`)).body.items
  expect(players).toEqual([expect.objectContaining({ name: 'Alex', online: true })])
  await command('leave Alex')
  await expect.poll(status).toMatchObject({ players: { online: 0 } })

  await command('shutdown')
  await reaches('offline')
  await power('start')
  await reaches('online')
  await power('stop')
  await reaches('offline')
})

it('what only a server with a world has is refused with a sentence, and its settings are not shown', async () => {
  const { ask, id } = await openProxy()
  expect((await ask(`GET /servers/config/${id}`)).body.properties).toBeNull()
  const ban = { action: 'ban', names: ['Eve'] }
  const whitelist = { enabled: true }
  const asked = [
    await ask(`POST /servers/players/act/${id}`, ban),
    await ask(`PUT /servers/players/whitelist/${id}`, whitelist),
    await ask(`POST /servers/reset/${id}`, { keep: [] }),
  ]
  for (const { status, body } of asked) {
    expect([status, body.error?.code]).toEqual([409, 'software.proxy'])
    expect(body.error.message).toMatch(/^This is a proxy.*the servers behind it/)
  }
})
