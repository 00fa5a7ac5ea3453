import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { offerFill } from '../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../tests/doubles/java-server.ts'
import type { ServiceOptions } from '../service.ts'
import { openTestService, temporaryFolder } from '../service.fixture.ts'

export const OLD = '1.20.4'
export const NEW = '1.20.6'
export const LOST = '1.20.5'

const FILES = {
  'world/region/r.0.0.mca': 'chunks',
  'plugins/Shop.jar': 'a plugin',
  'plugins/Shop/config.yml': 'price: 3\n',
  'server.properties': 'motd=mine\n',
  'ops.json': '[]',
  'notes.txt': 'mine',
  'logs/latest.log': 'a log',
}

/** A Paper server that is installed, with a world, a plugin and settings; its catalogs offer a newer version, and Fabric. */
export async function openPaper() {
  const catalogs = await CatalogServer.start()
  const folder = await temporaryFolder()
  // Ben may change the software of all servers.
  const held: ServiceOptions['held'] = (account, { ownerId }) =>
    account === ownerId ? 'owner' : ['server.read', 'software.write']
  const options = { dataDir: folder, catalogs: catalogs.settings, held }
  let running = await openTestService(options)
  onTestFinished(async () => {
    await running.service.close(true)
    await catalogs.stop()
  })
  const jar = async (version: string) => readFile(await javaServerJar({ kind: 'paper', version, build: '1' }))
  offerFill(catalogs, 'paper', [
    { id: NEW, java: 17, builds: [{ id: 2, jar: await jar(NEW) }] },
    // Nothing that could be run: it is for what never arrives.
    { id: LOST, java: 17, builds: [{ id: 3 }] },
    { id: OLD, java: 17, builds: [{ id: 1, jar: await jar(OLD) }] },
  ])
  const token = await running.account('ann@example.org')
  const bearer = { Authorization: `Bearer ${token}` }
  const as = (whose: string) => async (route: string, body?: unknown) => {
    const { status, body: answer } = await running.call(route, { token: whose, body })
    return { status, body: answer }
  }
  const ask = as(token)
  const created = await ask('POST /servers', {
    ...{ name: 'Mine', software: { id: 'paper', version: OLD }, memoryMb: 512, acceptLicense: true },
  })
  const { id } = created.body
  const at = (...names: string[]) => path.join(folder, 'servers', id, ...names)
  const reaches = (wanted: string) =>
    expect
      .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, { interval: 20 })
      .toBe(wanted)
  await reaches('offline')
  const put = async (name: string, text: string | Buffer) => {
    await mkdir(path.dirname(at(name)), { recursive: true })
    await writeFile(at(name), text)
  }
  await put('world/level.dat', levelOf('1.20.4'))
  for (const [name, text] of Object.entries(FILES)) await put(name, text)
  return {
    ...{ catalogs, folder, id, ask, at, reaches, put },
    line: () => ({ baseUrl: running.baseUrl, token }),
    raw: (route: string, headers = {}) =>
      fetch(running.baseUrl + route, { headers: { ...bearer, ...headers } }),
    asBen: as(await running.account('ben@example.org')),
    said: async (): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text),
    software: async () => (await ask(`GET /servers/software/${id}`)).body,
    power: (action: string) => ask(`POST /servers/power/${id}`, { action }),
    change: (software: { id: string; version: string; build?: string; newWorld?: boolean }) =>
      ask(`PUT /servers/software/${id}`, software),
    plan: async (software: string, version: string) =>
      (await ask(`GET /servers/software/plan/${id}?id=${software}&version=${version}`)).body,
    copies: path.join(folder, 'copies', id),
    /** All that lies in the server's folder, and what it holds. */
    async all(): Promise<Record<string, string>> {
      const entries = await readdir(at(), { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
      const texts = files.map(async (file) => [
        path.relative(at(), file),
        (await readFile(file)).toString('base64'),
      ])
      return Object.fromEntries(await Promise.all(texts)) as Record<string, string>
    },
    /** Another service in the same folder, after something was done to it. */
    async restart(meanwhile: () => Promise<void>) {
      await running.service.close(true)
      await meanwhile()
      running = await openTestService(options)
    },
  }
}

/** A `level.dat` as a version saves it, as far as its version goes. */
export function levelOf(version: string): Buffer {
  const text = (name: string) => {
    const bytes = Buffer.from(name)
    return Buffer.concat([Buffer.from([0, bytes.length]), bytes])
  }
  const tags = [[10], text(''), [10], text('Data'), [10], text('Version'), [3], text('Id'), [0, 0, 14, 88]]
  const named = [[8], text('Name'), text(version), [1], text('Snapshot'), [0], [0, 0, 0]]
  return gzipSync(Buffer.concat([...tags, ...named].map((part) => Buffer.from(part))))
}
