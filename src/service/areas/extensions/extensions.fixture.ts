import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { type JarOfExtension, pluginJar } from '../../../../tests/fixtures/extension-jar.ts'
import { openTestService, temporaryFolder } from '../../service.fixture.ts'

export const VERSION = '1.20.4'

export interface OpenOptions {
  dataDir?: string
  catalogs?: CatalogServer
  /** What Paper is here: any bytes unless a test starts it. */
  jar?: Buffer
  /** Bytes that the files of a server may have. */
  quotaBytes?: number
}

/** A service with catalogs on loopback, and somebody who makes servers there. */
export async function openService({
  dataDir,
  catalogs: given,
  jar = Buffer.from('a jar'),
  quotaBytes,
}: OpenOptions = {}) {
  const catalogs = given ?? (await CatalogServer.start())
  const folder = dataDir ?? (await temporaryFolder())
  const it = await openTestService({
    dataDir: folder,
    catalogs: catalogs.settings,
    ...(quotaBytes && { fileLimits: { quotaBytes } }),
  })
  onTestFinished(async () => {
    await it.service.close(true)
    await catalogs.stop()
  })
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  const signedIn = { token: '' }
  const ask = async (route: string, body?: unknown) => {
    const answer = await it.call(route, { token: signedIn.token, body })
    return { status: answer.status, body: answer.body }
  }
  const reaches = (id: string, wanted: string) =>
    expect
      .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, { interval: 20 })
      .toBe(wanted)
  return { ...it, it, catalogs, folder, ask, reaches, signedIn }
}

/** The same with a Paper server of theirs. */
export async function openPaper(options: OpenOptions = {}) {
  const it = await openService(options)
  it.signedIn.token = await it.account('ann@example.org')
  const made = await it.ask('POST /servers', {
    name: 'My server',
    software: { id: 'paper', version: VERSION },
    memoryMb: 512,
    acceptLicense: true,
  })
  expect(made.status).toBe(201)
  const id: string = made.body.id
  await it.reaches(id, 'offline')
  return { ...it, id, ...ofServer(it, id) }
}

/** What tests do with one server. */
export function ofServer(
  { ask, folder }: Pick<Awaited<ReturnType<typeof openService>>, 'ask' | 'folder'>,
  id: string,
) {
  const at = (name: string) => path.join(folder, 'servers', id, name)
  const route = (method: string, more = '') => `${method} /servers/extensions/${more}${id}`
  const changes = async () => (await ask(route('GET', 'changes/'))).body
  return {
    at,
    changes,
    put: async (name: string, jar: JarOfExtension | Buffer) => {
      await mkdir(path.dirname(at(name)), { recursive: true })
      await writeFile(at(name), Buffer.isBuffer(jar) ? jar : await pluginJar(jar))
    },
    names: async (name = 'plugins') => (await readdir(at(name)).catch(() => [])).sort(),
    bytes: (name: string) => readFile(at(name)),
    list: async () => (await ask(route('GET'))).body.items,
    install: (items: { project: string; versionId?: string }[]) => ask(route('POST'), { items }),
    undo: () => ask(route('POST', 'undo/')),
    cancel: () => ask(route('DELETE', 'changes/')),
    change: (extension: string, body: object) => ask(`${route('PATCH')}/${extension}`, body),
    remove: (extension: string) => ask(`${route('DELETE')}/${extension}`),
    /** Resolves with what was changed last as soon as nothing is being installed. */
    settled: async () => {
      await expect.poll(async () => (await changes()).running, { interval: 20 }).toBeNull()
      return (await changes()).last
    },
  }
}
