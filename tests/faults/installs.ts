import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { offerFill, offerVanilla } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import { Servers } from './servers.ts'

const MB = 1024 * 1024
const JAR = 'server.jar'
/** What is patched, and where Paper's launcher puts what it makes of it. */
const GAME = Buffer.from("Minecraft's own server")
const PATCHED = ['versions', '1.20.4', 'paper-1.20.4.jar']
const GAME_AT = ['cache', 'mojang_1.20.4.jar']
/** Statuses in which nothing is under way. */
export const AT_REST = ['offline', 'online', 'crashed']

/** So long a download takes that is to be struck, in milliseconds. */
const DOWNLOAD_MS = 1500

/** The service ends without a word while a server is downloaded and installed; started again, it goes on and the server runs. */
export async function installKilled(it: Case): Promise<void> {
  await killWhile(it, async ({ servers, rounds, create }) => {
    const began = performance.now()
    await servers.until(await create(rounds), AT_REST)
    const whole = performance.now() - began
    // Any moment of it: while it is downloaded, verified, put into its place, and a little after that.
    return async (round) => {
      const id = await create(round)
      await after(it.chance.next() * whole * 1.1)
      return id
    }
  })
}

/** The same while the software is on its way, and nothing else. */
export async function downloadKilled(it: Case): Promise<void> {
  await killWhile(it, ({ host, catalogs, hashes, create }) => async (round) => {
    const { length } = await partsIn(host)
    catalogs.fail(`/paper/v1/objects/${hashes[round]}`, { kind: 'slow', ms: DOWNLOAD_MS }, 1)
    const id = await create(round)
    while ((await partsIn(host)).length === length) await after(10)
    await after(it.chance.next() * DOWNLOAD_MS * 0.9)
    return id
  })
}

interface Killing {
  host: Host
  servers: Servers
  catalogs: CatalogServer
  /** Of the jars, by round. */
  hashes: readonly string[]
  rounds: number
  create: (round: number) => Promise<string>
}

/** `toBegin` answers what begins an installation and resolves at the moment to strike, with the server's id. */
async function killWhile(it: Case, toBegin: (killing: Killing) => Begin | Promise<Begin>): Promise<void> {
  const { stage } = it
  const catalogs = await CatalogServer.start()
  stage.atEnd(() => catalogs.stop())
  const rounds = it.long ? 20 : 2
  const hashes = await offerVersions(catalogs, it, rounds + 2)
  const host = await Host.start(stage, { catalogs: catalogs.settings })
  const servers = await Servers.of(host)
  const create = (round: number) => servers.create({ software: 'paper', version: versionOf(round) })

  // What is installed where nothing happens to the service.
  const model = await create(rounds + 1)
  await servers.until(model, AT_REST)
  const whole = await installedIn(servers.folderOf(model), hashes[rounds + 1]!)
  it.expect(whole !== '', 'Nothing is installed though nothing failed.')

  const begin = await toBegin({ host, servers, catalogs, hashes, rounds, create })
  const settled = { before: 0, after: 0 }
  const moments = { 'on its way': 0, 'in its place': 0, otherwise: 0 }
  for (let round = 0; round < rounds; round++) {
    const hash = hashes[round]!
    const id = await begin(round)
    host.signalKill()
    await host.ended()
    it.tried += 1
    moments[await momentOf(servers, id)] += 1
    await expectNothingHalf(it, servers.folderOf(id), hash)
    await host.start()
    await servers.until(id, AT_REST)
    // Started again, the service has either done all of it or nothing.
    const now = await installedIn(servers.folderOf(id), hash)
    if (now !== '' && now !== whole) it.half.push(`after kill ${round + 1}, of the installed: ${now}`)
    settled[now === '' ? 'before' : 'after'] += 1
    await expectGoesOn(it, servers, id, hash)
  }
  const counted = Object.entries(moments).map(([moment, times]) => `${times} ${moment}`)
  it.note(`The jar, when the service was killed: ${counted.join(', ')}.`)
  it.note(`Started again, all was installed ${settled.after} times and nothing ${settled.before} times.`)
}

type Begin = (round: number) => Promise<string>

/** What the version of this number is called. */
export const versionOf = (round: number) => `1.20.${round}`

/** Offers so many versions of Paper, each a file of its own, and answers the hashes of their jars. */
export async function offerVersions(catalogs: CatalogServer, it: Case, count: number): Promise<string[]> {
  const context = `${createHash('sha256').update(GAME).digest('hex')}\thttp://127.0.0.1:9/\t${GAME_AT[1]}`
  const entries = { 'META-INF/download-context': context }
  const plain = await readFile(
    await javaServerJar({ kind: 'paper', version: '1.20.4', build: '499', entries }),
  )
  offerVanilla(
    catalogs,
    Array.from({ length: count }, (_, round) => ({ id: versionOf(round), java: 17, jar: GAME })),
  )
  const jars = Array.from({ length: count }, () =>
    behind(it.chance.bytes().update(Buffer.alloc(24 * MB)), plain),
  )
  offerFill(
    catalogs,
    'paper',
    jars.map((jar, round) => ({ id: versionOf(round), java: 17, builds: [{ id: 499, jar }] })),
  )
  return jars.map((jar) => createHash('sha256').update(jar).digest('hex'))
}

/** A jar may begin with anything, so that it is as large as a real one; what it says of places in itself counts from there. */
function behind(bytes: Buffer, jar: Buffer): Buffer {
  const all = Buffer.concat([bytes, jar])
  const shift = (at: number) => all.writeUInt32LE(all.readUInt32LE(at) + bytes.length, at)
  const end = all.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  shift(end + 16)
  let at = all.readUInt32LE(end + 16)
  for (let left = all.readUInt16LE(end + 10); left > 0; left--) {
    shift(at + 42)
    at += 46 + all.readUInt16LE(at + 28) + all.readUInt16LE(at + 30) + all.readUInt16LE(at + 32)
  }
  return all
}

/** Paths and hashes of all that an installation brings; that of its jar is the same for all. */
const installedIn = async (folder: string, hash: string): Promise<string> =>
  existsSync(folder) ? (await treeOf(folder)).replaceAll(hash, 'of the jar') : ''

/** Paths and hashes of all files below a folder. */
export async function treeOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name))
  const lines = files.sort().map(async (file) => `${path.relative(folder, file)} ${await hashOf(file)}`)
  return (await Promise.all(lines)).join('\n')
}

/** How far the jar had come. */
async function momentOf(servers: Servers, id: string) {
  if (existsSync(path.join(servers.folderOf(id), JAR))) return 'in its place'
  return (await partsIn(servers.host)).length > 0 ? 'on its way' : 'otherwise'
}

const partsIn = (host: Host) => readdir(path.join(host.data, 'software', 'downloads', 'partial'))

/**
 * What a server's folder holds right after the end: no jar at all, or the whole one, with what was made of Minecraft's own
 * server or without, and nothing that was on its way.
 */
async function expectNothingHalf(it: Case, folder: string, hash: string): Promise<void> {
  const there = existsSync(folder) ? await readdir(folder) : []
  if (there.includes(JAR) && (await hashOf(path.join(folder, JAR))) !== hash) it.half.push(JAR)
  const known = [JAR, 'cache', 'versions', 'libraries']
  it.half.push(...there.filter((name) => !known.includes(name)))
  for (const names of [GAME_AT, PATCHED]) {
    const file = path.join(folder, ...names)
    if (existsSync(file) && !(await readFile(file)).equals(GAME)) it.half.push(path.join(...names))
  }
}

/** The server is as before its installation or after it, Start does the rest, and what runs is what the catalog promised. */
async function expectGoesOn(it: Case, servers: Servers, id: string, hash: string): Promise<void> {
  const before = await servers.until(id, AT_REST)
  it.expect(before === 'offline', `After the service was killed the server is ${before}, not offline.`)
  await servers.power(id, 'start')
  const reached = await servers.until(id, AT_REST.slice(1))
  it.expect(reached === 'online', `Started after the service was killed, the server is ${reached}.`)
  if ((await hashOf(path.join(servers.folderOf(id), JAR))) !== hash) it.half.push(JAR)
  if (!existsSync(path.join(servers.folderOf(id), ...PATCHED))) it.half.push(path.join(...PATCHED))
  const parts = await partsIn(servers.host)
  it.expect(parts.length === 0, `Parts of downloads are left: ${parts.join(', ')}.`)
  await servers.power(id, 'kill')
  await servers.until(id, ['offline', 'crashed'])
}

/** SHA-256 of a file. */
export const hashOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
