import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { offerFabric, offerFill, offerVanilla } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../doubles/catalogs/extension-catalogs.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { makePack, type PackedFile } from '../fixtures/modpack.ts'
import { movedServer, paperJar, VERSION, zipOf } from '../fixtures/moved-server.ts'
import type { Case } from './case.ts'
import { killDuring, PATIENCE } from './changes.ts'
import { Host } from './host.ts'
import { AT_REST, treeOf } from './installs.ts'
import { Servers } from './servers.ts'

const MB = 1024 * 1024
const LOADER = '0.16.9'
const MODS = 8

const noise = (it: Case, bytes: number): Buffer => it.chance.bytes().update(Buffer.alloc(bytes))

/** A pack in two versions, each of mods and settings of its own; answers the ids of both. */
async function offerPack(it: Case, server: CatalogServer): Promise<string[]> {
  const entries = { 'install.properties': `game-version=${VERSION}\nfabric-loader-version=${LOADER}\n` }
  const jar = await readFile(await javaServerJar({ kind: 'fabric', version: VERSION, entries }))
  offerVanilla(server, [{ id: VERSION, java: 17 }])
  offerFabric(server, {
    games: [{ version: VERSION, stable: true }],
    loaders: [{ version: LOADER, stable: true }],
    jars: { [`${VERSION}/${LOADER}`]: jar },
  })
  const pack = async (version: string) => {
    const files = Array.from({ length: MODS }, (_, number): PackedFile => {
      const name = `mod-${number}-${version}.jar`
      const bytes = noise(it, 2 * MB)
      return {
        path: `mods/${name}`,
        bytes,
        url: server.put(`/modrinth/data/M${number}/versions/V/${name}`, bytes),
      }
    })
    const within = {
      'overrides/config/pack.toml': `version = "${version}"\n`,
      'overrides/config/world.bin': noise(it, MB),
    }
    return { name: version, jar: await makePack({ version, files, within }) }
  }
  const { versions } = await new ExtensionCatalogs(server).offer({
    ...{ catalog: 'modrinth', name: 'Cozy Pack', games: [VERSION], loaders: ['fabric'], isPack: true },
    versions: [await pack('1.0'), await pack('2.0')],
  })
  return versions.map(({ id }) => id)
}

/** A service whose catalogs are on this computer. */
async function openHost(it: Case) {
  const catalogs = await CatalogServer.start()
  it.stage.atEnd(() => catalogs.stop())
  const host = await Host.start(it.stage, { catalogs: catalogs.settings })
  return { catalogs, host, servers: await Servers.of(host) }
}

/**
 * The service ends without a word while the modpack of a server is updated; started again, all of it is of the one version or
 * of the other, what its owner has put there is still there, and one step leads back.
 */
export async function packKilled(it: Case): Promise<void> {
  const rounds = it.long ? 20 : 2
  const { catalogs, host, servers } = await openHost(it)
  const [one, two] = (await offerPack(it, catalogs)) as [string, string]
  const { id } = (await servers.ask('POST', '/modpacks', {
    ...{ name: 'Mine', memoryMb: 256, versionId: one, acceptLicense: true },
  })) as { id: string }
  await servers.until(id, AT_REST)
  const folder = servers.folderOf(id)
  await mkdir(path.join(folder, 'world/region'), { recursive: true })
  for (let number = 0; number < 10; number++)
    await writeFile(path.join(folder, `world/region/r.${number}.0.mca`), noise(it, MB / 2))
  await writeFile(path.join(folder, 'config/mine.toml'), 'mine = true\n')
  const update = () => servers.ask('POST', `/servers/modpacks/${id}`, { versionId: two })
  const goBack = () => servers.ask('POST', `/servers/software/undo/${id}`)
  const versionNow = async () =>
    ((await servers.ask('GET', `/servers/modpacks/${id}`)) as { pack: { version: string } | null }).pack
      ?.version
  const trees = { '1.0': await treeOf(folder), '2.0': '' }
  const began = performance.now()
  await update()
  await servers.until(id, AT_REST)
  const whole = performance.now() - began
  trees['2.0'] = await treeOf(folder)
  it.expect((await versionNow()) === '2.0', 'The modpack was not updated though nothing failed.')
  await goBack()
  const expectWhole = async (when: string) => {
    const version = await versionNow()
    if (version !== '1.0' && version !== '2.0') it.lost.push(`${when}: which modpack there is`)
    else if ((await treeOf(folder)) !== trees[version]) it.half.push(`${when}: files of ${version}`)
    return version
  }
  await expectWhole('after going back for the first time')
  const seen = { before: 0, after: 0 }
  for (let round = 0; round < rounds; round++) {
    await killDuring(it, host, whole, update)
    await host.start()
    await servers.until(id, AT_REST, PATIENCE)
    const version = await expectWhole(`after kill ${round + 1}`)
    seen[version === '2.0' ? 'after' : 'before'] += 1
    if (version === '2.0') await goBack()
    it.expect((await expectWhole('after going back')) === '1.0', 'Going back did not lead back.')
    const left = await readdir(path.join(host.data, 'staging', id))
    const parts = left.filter((name) => /^(?:install|tmp)-/.test(name))
    it.expect(parts.length === 0, `What was prepared is left: ${parts.join(', ')}.`)
  }
  // And it can be done all the same.
  await update()
  await servers.until(id, AT_REST)
  it.expect((await expectWhole('in the end')) === '2.0', 'After the kills the modpack could not be updated.')
  it.note(
    `When the service was killed the modpack was updated ${seen.after} times and not yet ${seen.before} times.`,
  )
}

interface Import {
  id: string
  state: string
}

/** Regions of a world that take a while. */
const largeWorld = (it: Case): Record<string, Buffer> =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, number) => [
      `old-server/overworld/region/r.${number}.1.mca`,
      noise(it, MB / 2),
    ]),
  )

/** Waits until what was sent was looked at; `looking` is called each time that begins. */
async function untilLooked(
  servers: Servers,
  id: string,
  looking: () => void = () => undefined,
): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const { state } = (await servers.ask('GET', `/imports/${id}`)) as Import
    if (state === 'waiting') {
      await servers.ask('POST', `/imports/look/${id}`, { archive: 'server.zip' })
      looking()
    }
    if (state === 'ready') return
    if (state === 'failed') throw new Error('What was sent could not be looked at.')
  }
  throw new Error('What was sent is still being looked at.')
}

/** Moves a server in that runs the jar it came with, and answers its id. */
export async function moveIn(servers: Servers, name: string): Promise<string> {
  const { id } = (await servers.ask('POST', '/imports')) as Import
  await servers.upload(id, 'server.zip', await zipOf(await movedServer()))
  await untilLooked(servers, id)
  const made = await servers.ask('POST', `/imports/create/${id}`, {
    ...{ name, software: { id: 'custom' }, memoryMb: 256, acceptLicense: true },
  })
  return (made as { id: string }).id
}

/**
 * The service ends without a word while a server is moved in; started again, the server is there with all of its files, or what
 * was sent is still there and becomes one.
 */
export async function importKilled(it: Case): Promise<void> {
  const rounds = it.long ? 20 : 2
  const { catalogs, host, servers } = await openHost(it)
  const jar = await paperJar()
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar }] }])
  const archive = await zipOf({ ...(await movedServer({ jar })), ...largeWorld(it) })
  /** Imports whose files are being looked at, or were. */
  const begun = new Set<string>()
  const make = async (id: string, name: string) =>
    servers.ask('POST', `/imports/create/${id}`, {
      ...{ name, software: { id: 'paper', version: VERSION }, memoryMb: 256, acceptLicense: true },
    })
  const sent = async () => {
    const { id } = (await servers.ask('POST', '/imports')) as Import
    await servers.upload(id, 'server.zip', archive)
    return id
  }
  const named = async (name: string) => {
    const { items } = (await servers.ask('GET', '/servers')) as { items: { id: string; name: string }[] }
    return { ids: items.map(({ id }) => id), id: items.find((one) => one.name === name)?.id }
  }
  /** What came along, but for the jar and what the software writes. */
  const cameAlong = async (id: string) =>
    (await treeOf(servers.folderOf(id)))
      .split('\n')
      .filter((line) => /^(?:overworld|plugins)\//.test(line))
      .join('\n')
  const moveSent = async (id: string, name: string) => {
    await untilLooked(servers, id, () => begun.add(id))
    await make(id, name)
  }
  const archived = await sent()
  // Sending is another matter: kills are to fall into the import itself.
  const began = performance.now()
  await moveSent(archived, 'whole')
  const whole = performance.now() - began
  const first = await named('whole')
  await servers.until(first.id!, AT_REST, PATIENCE)
  const wanted = await cameAlong(first.id!)
  const seen = { before: 0, after: 0, midway: 0 }
  for (let round = 0; round < rounds; round++) {
    const [id, name] = [await sent(), `round ${round}`]
    let isMade = false
    // What it answers at its end nobody hears.
    const move = () => moveSent(id, name).then(() => (isMade = true))
    await killDuring(it, host, whole, async () => void move().catch(() => undefined))
    if (begun.has(id) && !isMade) seen.midway += 1
    await host.start()
    const now = await named(name)
    const folders = await readdir(path.join(host.data, 'servers'))
    const orphans = folders.filter((one) => !now.ids.includes(one))
    if (orphans.length > 0)
      it.half.push(`folders of no server after kill ${round + 1}: ${orphans.join(', ')}`)
    seen[now.id === undefined ? 'before' : 'after'] += 1
    if (now.id === undefined) await moveSent(id, name)
    const server = now.id ?? (await named(name)).id!
    await servers.until(server, AT_REST, PATIENCE)
    if ((await cameAlong(server)) !== wanted) it.lost.push(`files of the server of round ${round}`)
    await servers.ask('DELETE', `/servers/${server}?confirm=${encodeURIComponent(name)}`)
    for (const left of await readdir(path.join(host.data, 'imports')))
      await servers.ask('DELETE', `/imports/${left}`).catch(() => undefined)
  }
  it.expect(!it.long || seen.midway > 0, 'No kill fell into an import: all were before or after it.')
  it.note(
    `When the service was killed the server was there ${seen.after} times and not yet ${seen.before} times; ${seen.midway} times it was being made.`,
  )
}
