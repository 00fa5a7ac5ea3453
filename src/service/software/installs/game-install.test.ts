import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  offerFabric,
  offerFill,
  offerPurpur,
  offerVanilla,
} from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../../../../tests/doubles/java-server.ts'
import { openTestService, temporaryFolder } from '../../service.fixture.ts'

const VERSION = '1.20.4'
const LOADER = '0.16.9'
const GAME = Buffer.from("Minecraft's own server")
/** Where the launchers themselves look for it: nobody answers there. */
const NOWHERE = 'http://127.0.0.1:9/server.jar'

const contextOf = (game: Buffer) => ({
  'META-INF/download-context': `${createHash('sha256').update(game).digest('hex')}\t${NOWHERE}\tmojang_${VERSION}.jar`,
})

/** A service whose catalogs offer all that needs Minecraft's own server, and that. */
async function open(entries: Record<string, string> = {}, made = GAME) {
  const catalogs = await CatalogServer.start()
  const folder = await temporaryFolder()
  const running = await openTestService({ dataDir: folder, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await running.service.close(true)
    await catalogs.stop()
  })
  const patched = async (kind: 'paper' | 'purpur' | 'folia') =>
    readFile(await javaServerJar({ kind, version: VERSION, entries: { ...contextOf(made), ...entries } }))
  const install = `fabric-loader-version=${LOADER}\ngame-version=${VERSION}\ngame-address=${NOWHERE}\n`
  const launcher = await javaServerJar({
    kind: 'fabric',
    version: VERSION,
    entries: { 'install.properties': install },
  })
  offerVanilla(catalogs, [{ id: VERSION, java: 17, jar: GAME }])
  for (const project of ['paper', 'folia'] as const)
    offerFill(catalogs, project, [
      { id: VERSION, java: 17, builds: [{ id: 1, jar: await patched(project) }] },
    ])
  offerPurpur(catalogs, [{ id: VERSION, builds: [{ build: '1', jar: await patched('purpur') }] }])
  offerFabric(catalogs, {
    games: [{ version: VERSION, stable: true }],
    loaders: [{ version: LOADER, stable: true }],
    jars: { [`${VERSION}/${LOADER}`]: await readFile(launcher) },
  })
  const token = await running.account('ann@example.org')
  const ask = async (route: string, body?: unknown) => (await running.call(route, { token, body })).body
  const said = async (id: string): Promise<string[]> =>
    (await ask(`GET /servers/console/${id}`)).items.map(({ text }: { text: string }) => text)
  return {
    ...{ catalogs, folder, ask, said },
    create: async (id: string): Promise<string> =>
      (
        await ask('POST /servers', {
          ...{ name: 'Mine', software: { id, version: VERSION }, memoryMb: 512, acceptLicense: true },
        })
      ).id,
    reaches: (id: string, wanted: string) =>
      expect.poll(async () => (await ask(`GET /servers/status/${id}`)).status, { interval: 20 }).toBe(wanted),
    power: (id: string, action: string) => ask(`POST /servers/power/${id}`, { action }),
    at: (id: string, ...names: string[]) => path.join(folder, 'servers', id, ...names),
    staged: (id: string) => readdir(path.join(folder, 'staging', id)),
  }
}

it.each([
  ['paper', 'Paper', 'cache/mojang_1.20.4.jar'],
  ['purpur', 'Purpur', 'cache/mojang_1.20.4.jar'],
  ['folia', 'Folia', 'cache/mojang_1.20.4.jar'],
  ['fabric', 'Fabric', '.fabric/server/1.20.4-server.jar'],
])('without a network a second %s server is installed and started', async (kind, name, game) => {
  const { catalogs, create, reaches, said, power, at, ask } = await open()
  await ask(`GET /software/${kind}/versions`)
  await reaches(await create(kind), 'offline')
  catalogs.fail('/', { kind: 'out of reach' })

  const id = await create(kind)
  await reaches(id, 'offline')
  expect(await said(id)).toEqual([`Installing ${name} ${VERSION}.`, `${name} ${VERSION} is installed.`])
  expect(await readFile(at(id, game))).toEqual(GAME)
  if (kind !== 'fabric')
    expect(await readFile(at(id, 'versions', VERSION, `${kind}-${VERSION}.jar`))).toEqual(GAME)
  await power(id, 'start')
  await reaches(id, 'online')
  const lines = (await said(id)).join('\n')
  expect(lines).not.toContain('Downloading')
  expect(lines).not.toContain('Applying patches')
})

it("without a network Minecraft's own server is put back after it was deleted from a server's folder", async () => {
  const { catalogs, create, reaches, said, power, at } = await open()
  const id = await create('paper')
  await reaches(id, 'offline')
  catalogs.fail('/', { kind: 'out of reach' })
  for (const name of ['cache', 'versions', 'libraries']) await rm(at(id, name), { recursive: true })
  await power(id, 'start')
  await reaches(id, 'online')
  expect(await said(id)).toContain('Applying patches')
})

it('Stop ends the patching with its process, and nothing of it is left', async () => {
  const { create, reaches, said, power, at, staged, folder } = await open({ 'patching-waits': 'yes' })
  const id = await create('paper')
  const noted = path.join(folder, 'software', 'run', `${id}.json`)
  await expect.poll(() => existsSync(noted)).toBe(true)
  const { pid } = JSON.parse(await readFile(noted, 'utf8')) as { pid: number }
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  await power(id, 'stop')
  await reaches(id, 'offline')
  expect((await said(id)).at(-1)).toBe('The installation was canceled.')
  expect(existsSync(`/proc/${pid}`)).toBe(false)
  expect([await readdir(at(id)), await staged(id), existsSync(noted)]).toEqual([[], [], false])
})

it('patching that fails is told with what it printed; the server is installed with nothing half, and tries it again', async () => {
  const { create, reaches, said, power, at, staged } = await open({ 'patching-fails': 'yes' })
  const id = await create('paper')
  await reaches(id, 'offline')
  expect((await said(id)).slice(1)).toEqual([
    'Applying patches',
    'Failed to apply patches',
    'Paper could not be made ready for its first start. When it is started, it does that first.',
    `Paper ${VERSION} is installed.`,
  ])
  expect((await readdir(at(id))).sort()).toEqual(['cache', 'server.jar'])
  expect(await readdir(at(id, 'cache'))).toEqual([`mojang_${VERSION}.jar`])
  expect(await staged(id)).toEqual([])
  await power(id, 'start')
  await reaches(id, 'crashed')
})

it("where Minecraft's own server cannot be had, that is said, and the next start fetches it first", async () => {
  const { catalogs, create, reaches, said, power, at } = await open()
  const end = catalogs.fail('/mojang/', { kind: 'out of reach' })
  const id = await create('paper')
  await reaches(id, 'offline')
  const [, missing, done] = await said(id)
  expect(missing).toMatch(/^Minecraft's own server is still missing, and Paper needs it to start\. .*Mojang/)
  expect(done).toBe(`Paper ${VERSION} is installed.`)
  expect(await readdir(at(id))).toEqual(['server.jar'])

  // The start is not held back: perhaps the software can do what the service could not.
  await power(id, 'start')
  await reaches(id, 'crashed')
  expect(await said(id)).toContain(`Downloading mojang_${VERSION}.jar`)

  end()
  await power(id, 'start')
  await reaches(id, 'online')
  expect(await readFile(at(id, 'cache', `mojang_${VERSION}.jar`))).toEqual(GAME)
})

it('another edition of Minecraft than the jar was made for is not put there', async () => {
  const { create, reaches, said, at } = await open({}, Buffer.from('another edition'))
  const id = await create('paper')
  await reaches(id, 'offline')
  expect((await said(id))[1]).toMatch(/^Paper was made for another edition of Minecraft 1\.20\.4/)
  expect(await readdir(at(id))).toEqual(['server.jar'])
})
