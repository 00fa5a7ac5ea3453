import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { offerFabric, offerVanilla } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import {
  ExtensionCatalogs,
  type OfferedExtension,
} from '../../../../tests/doubles/catalogs/extension-catalogs.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { makePack, type PackedFile, type PackToMake } from '../../../../tests/fixtures/modpack.ts'
import {
  openTestService,
  startTestService,
  temporaryFolder,
  type TestService,
} from '../../service.fixture.ts'

export const GAME = '1.20.4'
export const LOADER = '0.16.9'

/** A service whose catalogs have Fabric and packs, and somebody who makes servers there. @param runs its servers can be started */
export async function openPacks({ dataDir, runs }: { dataDir?: string; runs?: boolean } = {}) {
  const server = await CatalogServer.start()
  const folder = dataDir ?? (await temporaryFolder())
  const options = { dataDir: folder, catalogs: server.settings }
  let running = await openTestService(options)
  onTestFinished(async () => {
    await running.service.close(true)
    await server.stop()
  })
  offerVanilla(server, [{ id: GAME, java: 17 }])
  offerFabric(server, {
    games: [{ version: GAME, stable: true }],
    // The newest is not the one that packs ask for.
    loaders: ['0.17.0', LOADER].map((version) => ({ version, stable: version === '0.17.0' })),
    jars: Object.fromEntries(
      await Promise.all(
        ['0.17.0', LOADER].map(async (loader) => [
          `${GAME}/${loader}`,
          await (runs ? runningJar(loader) : launcherJar(loader)),
        ]),
      ),
    ),
  })
  const catalogs = new ExtensionCatalogs(server)
  const token = await running.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => {
    const answer = await running.call(route, { token, body })
    return { status: answer.status, body: answer.body }
  }
  return {
    ...{ server, folder, catalogs, ask, ...helpersOf(ask, folder) },
    /** Offers a pack in these versions. */
    async offer(packs: PackToMake[], name = 'Cozy Pack'): Promise<OfferedExtension> {
      const versions = packs.map(async (one) => ({
        ...{ name: one.version ?? '1.0', loaders: ['fabric'], jar: await makePack({ name, ...one }) },
      }))
      return catalogs.offer({
        ...{ catalog: 'modrinth', name, games: [GAME], loaders: ['fabric'], isPack: true },
        versions: await Promise.all(versions),
      })
    },
    /** A file that packs fetch. */
    file(at: string, text: string, env?: PackedFile['env']): PackedFile {
      const bytes = Buffer.from(text)
      const name = encodeURIComponent(at.split('/').at(-1)!)
      const url = server.put(`/modrinth/data/P${name.length}x/versions/V1/${name}`, bytes)
      return { path: at, bytes, url, ...(env && { env }) }
    },
    upload: (id: string, name: string, text: string | Buffer) => uploadTo(running, token, id, name, text),
    create: (versionId: string, more: object = {}) =>
      ask('POST /modpacks', { name: 'Mine', memoryMb: 512, versionId, acceptLicense: true, ...more }),
    /** The same from a file that was sent. */
    createFrom: (sent: { importId: string; path: string }) =>
      ask('POST /modpacks', { name: 'Mine', memoryMb: 512, ...sent, acceptLicense: true }),
    stranger: async () => {
      const other = await running.account('bob@example.org')
      return (route: string, body?: unknown) => running.call(route, { token: other, body })
    },
    /** Somebody with whom a server is shared. */
    collaborator: (id: string, scopes: string[]) => collaboratorOf(running, ask, id, scopes),
    /** Another service in the same folder. */
    async restart(meanwhile: () => Promise<void> = async () => undefined) {
      await running.service.close(true)
      await meanwhile()
      running = await openTestService(options)
    },
  }
}

/** A service that asks no catalogs, and somebody who has an account there. */
export async function openWithoutCatalogs() {
  const service = await startTestService()
  const token = await service.account('ann@example.org')
  return {
    ask: (route: string, body?: unknown) => service.call(route, { token, body }),
    upload: (id: string, name: string, text: Buffer) => uploadTo(service, token, id, name, text),
  }
}

/** Sends a file as the panel does. */
async function uploadTo(
  { baseUrl }: TestService,
  token: string,
  ...[id, name, text]: [id: string, name: string, text: string | Buffer]
): Promise<void> {
  const form = new FormData()
  form.append('path', name)
  form.append('file', new Blob([new Uint8Array(Buffer.from(text))]), 'x')
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${baseUrl}/servers/files/upload/${id}`, { method: 'POST', headers, body: form })
  await answer.text()
  expect(answer.status).toBe(201)
}

async function collaboratorOf(service: TestService, ask: RouteCaller, serverId: string, scopes: string[]) {
  const email = 'eve@example.org'
  const token = await service.account(email)
  const asks = (route: string, body?: unknown) => service.call(route, { token, body })
  expect((await ask(`POST /servers/access/${serverId}`, { email, scopes })).status).toBe(201)
  const [offer] = (await asks('GET /invitations')).body.items
  expect((await asks(`POST /invitations/${offer.id}`, { accept: true })).status).toBe(204)
  return asks
}

/** A pack on somebody's computer, with a mod that can be kept from coming. */
export async function openSent() {
  const it = await openPacks()
  const late = it.file('mods/late.jar', 'late')
  const bytes = await makePack({ name: 'Cozy Pack', files: [late], within: { 'overrides/a.toml': 'a = 1' } })
  const send = async () => {
    const importId = (await it.ask('POST /imports')).body.id as string
    await it.upload(importId, 'Cozy.mrpack', bytes)
    return { importId, path: 'Cozy.mrpack' }
  }
  const isKept = async ({ importId }: { importId: string }) =>
    (await it.ask(`GET /imports/${importId}`)).status === 200
  return { ...it, send, isKept, what: { 'mods/late.jar': 'late', 'a.toml': 'a = 1' } }
}

/** The program that stands in for Fabric, which runs. */
async function runningJar(loader: string): Promise<Buffer> {
  const about = `game-version=${GAME}\nfabric-loader-version=${loader}\n`
  const entries = { 'install.properties': about }
  return readFile(await javaServerJar({ kind: 'fabric', version: GAME, build: loader, entries }))
}

/** Fabric's small launcher, as far as it is looked at. */
export async function launcherJar(loader: string): Promise<Buffer> {
  const { ZipFile } = await import('yazl')
  const { buffer } = await import('node:stream/consumers')
  const zip = new ZipFile()
  const about = `game-version=${GAME}\nfabric-loader-version=${loader}\n`
  zip.addBuffer(Buffer.from(about), 'install.properties')
  zip.end()
  return buffer(zip.outputStream)
}

type RouteCaller = (route: string, body?: unknown) => Promise<{ status: number; body: any }> // eslint-disable-line @typescript-eslint/no-explicit-any -- what a test reads of it, it asserts

function helpersOf(ask: RouteCaller, folder: string) {
  const at = (id: string, name = '') => path.join(folder, 'servers', id, name)
  return {
    at,
    reaches: (id: string, wanted: string) =>
      expect
        .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, {
          interval: 20,
          timeout: 20_000,
        })
        .toBe(wanted),
    said: async (id: string): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text),
    packOf: async (id: string) => (await ask(`GET /servers/modpacks/${id}`)).body,
    install: (id: string, body: object) => ask(`POST /servers/modpacks/${id}`, body),
    undo: (id: string) => ask(`POST /servers/software/undo/${id}`),
    async put(id: string, name: string, text: string | Buffer) {
      await mkdir(path.dirname(at(id, name)), { recursive: true })
      await writeFile(at(id, name), text)
    },
    /** All that lies in the server's folder, without the software: path → text. */
    async all(id: string): Promise<Record<string, string>> {
      const entries = await readdir(at(id), { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && !/(^|-)server\.jar$/.test(entry.name))
      const texts = files.map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name)
        return [path.relative(at(id), file), await readFile(file, 'utf8')]
      })
      return Object.fromEntries(await Promise.all(texts)) as Record<string, string>
    },
    /** What is left beside the servers' folders of what was begun. */
    async leftBeside(id: string): Promise<string[]> {
      const folders = [path.join(folder, 'staging', id), path.join(folder, 'copies', id)]
      const names = folders.map(async (one) => (existsSync(one) ? readdir(one) : []))
      return (await Promise.all(names)).flat().filter((name) => /^(?:install|copy|tmp|journal)/.test(name))
    },
  }
}
