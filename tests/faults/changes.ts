import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs, type OfferedExtension } from '../doubles/catalogs/extension-catalogs.ts'
import { pluginJar } from '../fixtures/extension-jar.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import { AT_REST, hashOf, offerVersions, treeOf, versionOf } from './installs.ts'
import { Servers } from './servers.ts'

const MB = 1024 * 1024
/** How long a change may go on after the service is there again, in milliseconds. */
export const PATIENCE = 60_000

/** A service with a catalog, and a Paper server that is installed there. */
async function withServer(it: Case, versions: number) {
  const catalogs = await CatalogServer.start()
  it.stage.atEnd(() => catalogs.stop())
  const hashes = await offerVersions(catalogs, it, versions)
  const host = await Host.start(it.stage, { catalogs: catalogs.settings })
  const servers = await Servers.of(host)
  const id = await servers.create({ software: 'paper', version: versionOf(0) })
  await servers.until(id, AT_REST)
  const folder = servers.folderOf(id)
  const put = async (name: string, bytes: Buffer | string) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), bytes)
  }
  return { catalogs, hashes, host, servers, id, folder, put }
}

/** Kills the service at a chance moment of what is begun, and starts it again. */
export async function killDuring(
  it: Case,
  host: Host,
  whole: number,
  begin: () => Promise<unknown>,
): Promise<void> {
  await begin()
  await after(it.chance.next() * whole * 1.1)
  host.signalKill()
  await host.ended()
  it.tried += 1
}

/**
 * The service ends without a word while the software of a server is brought to another version; started again, the server is
 * what it was or what it was to be, runs, and one step leads back.
 */
export async function changeKilled(it: Case): Promise<void> {
  const rounds = it.long ? 20 : 2
  const { host, servers, id, folder, hashes, put } = await withServer(it, 2)
  for (let number = 0; number < 40; number++)
    await put(`world/region/r.${number}.0.mca`, it.chance.bytes().update(Buffer.alloc(MB / 2)))
  await put('plugins/Shop/config.yml', 'price: 3\n')
  let worldBefore = await treeOf(path.join(folder, 'world'))
  const software = async () =>
    (await servers.ask('GET', `/servers/software/${id}`)) as { version: string; copy: object | null }
  const change = (version: number) =>
    servers.ask('PUT', `/servers/software/${id}`, { id: 'paper', version: versionOf(version) })
  /** All of the server is of the version that it says. */
  const expectWhole = async (when: string): Promise<number> => {
    const { version } = await software()
    const number = [0, 1].findIndex((one) => versionOf(one) === version)
    const jar = path.join(folder, 'server.jar')
    const hash = existsSync(jar) ? await hashOf(jar) : null
    if (number < 0 || hash !== hashes[number]) it.half.push(`${when}: server.jar is not that of ${version}`)
    if ((await treeOf(path.join(folder, 'world'))) !== worldBefore) it.lost.push(`${when}: the world`)
    if ((await readFile(path.join(folder, 'plugins/Shop/config.yml'), 'utf8')) !== 'price: 3\n')
      it.lost.push(`${when}: a configuration`)
    return number
  }
  const began = performance.now()
  await change(1)
  await servers.until(id, AT_REST)
  const whole = performance.now() - began
  await servers.ask('POST', `/servers/software/undo/${id}`)
  const seen = { before: 0, after: 0 }
  for (let round = 0; round < rounds; round++) {
    await killDuring(it, host, whole, () => change(1))
    await host.start()
    await servers.until(id, AT_REST, PATIENCE)
    const number = await expectWhole('after the kill')
    seen[number === 0 ? 'before' : 'after'] += 1
    if (number === 1) {
      it.expect((await software()).copy !== null, 'After the change nothing leads back.')
      await servers.ask('POST', `/servers/software/undo/${id}`)
      it.expect((await expectWhole('after going back')) === 0, 'Going back did not lead back.')
    }
    await servers.power(id, 'start')
    const reached = await servers.until(id, ['online', 'crashed'])
    it.expect(reached === 'online', `Started after the service was killed, the server is ${reached}.`)
    await servers.power(id, 'kill')
    await servers.until(id, ['offline', 'crashed'])
    worldBefore = await treeOf(path.join(folder, 'world'))
    await expectWhole('after the start')
    const left = (await readdir(path.join(host.data, 'copies', id))).filter((name) =>
      name.startsWith('copy-'),
    )
    it.expect(left.length <= 3, `Copies of changes that did not happen are left: ${left.join(', ')}.`)
  }
  it.note(
    `When the service was killed the version was changed ${seen.after} times and not yet ${seen.before} times.`,
  )
}

/** Ten plugins in two versions each; answers them with the hashes of all of each version. */
async function offerPlugins(it: Case, catalogs: CatalogServer) {
  const offered = new ExtensionCatalogs(catalogs)
  const jar = (name: string, version: string) =>
    pluginJar({ name, version, files: { noise: it.chance.bytes().update(Buffer.alloc(2 * MB)) } })
  const all: OfferedExtension[] = []
  for (const name of Array.from({ length: 10 }, (_, at) => `Plugin${at}`))
    all.push(
      await offered.offer({
        ...{ catalog: 'modrinth', name, games: [versionOf(0)] },
        versions: [
          { name: '1.0', jar: await jar(name, '1.0') },
          { name: '2.0', jar: await jar(name, '2.0') },
        ],
      }),
    )
  const hashOfAll = (version: number) => all.map((one) => one.versions[version]!.hashes.sha256).sort()
  return { all, hashes: [0, 1].map((version) => hashOfAll(version).join(' ')) }
}

/** The service ends without a word while all plugins of a server are updated; started again, all of them are, or none is. */
export async function updateKilled(it: Case): Promise<void> {
  const rounds = it.long ? 20 : 2
  const { catalogs, host, servers, id, folder } = await withServer(it, 1)
  const { all, hashes } = await offerPlugins(it, catalogs)
  const bring = (version: number) =>
    servers.ask('POST', `/servers/extensions/${id}`, {
      items: all.map((one) => ({ project: one.id, versionId: one.versions[version]!.id })),
    })
  const settled = async () => {
    const end = Date.now() + PATIENCE
    for (;;) {
      const changes = (await servers.ask('GET', `/servers/extensions/changes/${id}`)) as Changes
      if (!changes.running) return changes.last
      if (Date.now() > end) throw new Error('It is still being installed.')
      await after(10)
    }
  }
  const plugins = path.join(folder, 'plugins')
  /** Which version all of them are; -1 where it is neither. */
  const versionNow = async () => {
    const found = (await readdir(plugins)).map((name) => hashOf(path.join(plugins, name)))
    return hashes.indexOf((await Promise.all(found)).sort().join(' '))
  }
  await bring(0)
  await settled()
  const began = performance.now()
  await bring(1)
  await settled()
  const whole = performance.now() - began
  const seen = { before: 0, after: 0 }
  let now = await versionNow()
  it.expect(now === 1, 'The plugins were not updated though nothing failed.')
  for (let round = 0; round < rounds; round++) {
    const to = 1 - now
    await killDuring(it, host, whole, () => bring(to))
    // Half of the time they are downloaded again.
    if (it.chance.next() < 0.5)
      for (const name of ['content', 'index'])
        await rm(path.join(host.data, 'software/downloads', name), { recursive: true, force: true })
    await host.start()
    await settled()
    const then = await versionNow()
    if (then === -1) it.half.push(`plugins of two versions in round ${round}`)
    seen[then === to ? 'after' : 'before'] += 1
    if (then === to) {
      await servers.ask('POST', `/servers/extensions/undo/${id}`)
      it.expect((await versionNow()) === now, 'Undoing the update did not bring back what was there before.')
    }
    // It can be done all the same, and leaves nothing beside the folder.
    await bring(to)
    const last = await settled()
    now = await versionNow()
    it.expect(
      now === to,
      `After a kill the update could not be done: ${last?.error?.message ?? 'it was not done'}.`,
    )
    if (now === -1) break
    const staging = await readdir(path.join(host.data, 'staging', id, 'extensions'))
    const left = staging.filter((name) => name.endsWith('.jar'))
    it.expect(left.length === 0, `Jars that were prepared are left: ${left.join(', ')}.`)
  }
  it.note(`When the service was killed all were updated ${seen.after} times and none ${seen.before} times.`)
}

interface Changes {
  running: object | null
  last: { error?: { message: string } | null } | null
}
