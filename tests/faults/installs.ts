import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { offerFill } from '../fixtures/catalogue-answers.ts'
import { CatalogueServer } from '../fixtures/catalogue-server.ts'
import { javaServerJar } from '../fixtures/java-server.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'

const MB = 1024 * 1024
const NAME = 'Installed'
/** How long an installation or a start may take on a busy machine, in milliseconds. */
const PATIENCE = 60_000
/** Whether nothing is under way. */
const isAtRest = (status: string) => ['offline', 'online', 'crashed'].includes(status)

/** The service ends without a word while a server is downloaded and installed; started again, it goes on and the server runs. */
export async function installKilled(it: Case): Promise<void> {
  const { stage, chance } = it
  const catalogs = await CatalogueServer.start()
  stage.atEnd(() => catalogs.stop())
  const rounds = it.long ? 20 : 2
  const hashes = await offerVersions(catalogs, it, rounds + 1)
  const host = await Host.start(stage, { catalogs: catalogs.settings })
  const token = await host.signIn()

  const began = performance.now()
  await untilAtRest(host, token, await create(host, token, versionOf(rounds)))
  const whole = performance.now() - began
  const moments = { 'on its way': 0, 'in its place': 0, otherwise: 0 }
  for (let round = 0; round < rounds; round++) {
    const hash = hashes[round]!
    const id = await create(host, token, versionOf(round))
    // Any moment of it: while it is downloaded, verified, put into its place, and a little after that.
    await after(chance.next() * whole * 1.1)
    host.signalKill()
    await host.ended()
    it.tried += 1
    moments[await momentOf(host, id)] += 1
    await expectNothingHalf(it, host, id, hash)
    await host.start()
    await expectGoesOn(it, host, id, hash)
  }
  const counted = Object.entries(moments).map(([moment, times]) => `${times} ${moment}`)
  it.note(`The jar, when the service was killed: ${counted.join(', ')}.`)
}

const versionOf = (round: number) => `1.20.${round}`

/** Offers so many versions of Paper, each a file of its own, and answers the hashes of their jars. */
async function offerVersions(catalogs: CatalogueServer, it: Case, count: number): Promise<string[]> {
  const plain = await readFile(await javaServerJar({ kind: 'paper', version: '1.20.4', build: '499' }))
  // A jar may begin with anything, so that it is as large as a real one.
  const jars = Array.from({ length: count }, () =>
    Buffer.concat([it.chance.bytes().update(Buffer.alloc(24 * MB)), plain]),
  )
  offerFill(
    catalogs,
    'paper',
    jars.map((jar, round) => ({ id: versionOf(round), java: 17, builds: [{ id: 499, jar }] })),
  )
  return jars.map((jar) => createHash('sha256').update(jar).digest('hex'))
}

/** Creates a Paper server and answers its id; its installation has begun. */
async function create(host: Host, token: string, version: string): Promise<string> {
  const server = { name: NAME, software: { id: 'paper', version }, memoryMb: 512, acceptLicense: true }
  return ((await host.ask('POST', '/servers', token, server)) as { id: string }).id
}

/** How far the jar had come. */
async function momentOf(host: Host, id: string) {
  if (existsSync(path.join(host.data, 'servers', id, 'server.jar'))) return 'in its place'
  const parts = await readdir(path.join(host.data, 'software', 'downloads', 'partial'))
  return parts.length > 0 ? 'on its way' : 'otherwise'
}

/** What a server's folder holds right after the end: no jar at all, or the whole one, and nothing that was on its way. */
async function expectNothingHalf(it: Case, host: Host, id: string, hash: string): Promise<void> {
  const folder = path.join(host.data, 'servers', id)
  const jar = path.join(folder, 'server.jar')
  if (existsSync(jar) && (await hashOf(jar)) !== hash) it.half.push('server.jar')
  const others = existsSync(folder) ? (await readdir(folder)).filter((name) => name !== 'server.jar') : []
  it.half.push(...others)
}

/** The server is as before its installation or after it, Start does the rest, and what runs is what the catalog promised. */
async function expectGoesOn(it: Case, host: Host, id: string, hash: string): Promise<void> {
  const token = await host.signIn()
  const before = await untilAtRest(host, token, id)
  it.expect(before === 'offline', `After the service was killed the server is ${before}, not offline.`)
  await host.ask('POST', `/servers/power/${id}`, token, { action: 'start' })
  const reached = await untilAtRest(host, token, id)
  it.expect(reached === 'online', `Started after the service was killed, the server is ${reached}.`)
  const jar = path.join(host.data, 'servers', id, 'server.jar')
  if ((await hashOf(jar)) !== hash) it.half.push('server.jar')
  const parts = await readdir(path.join(host.data, 'software', 'downloads', 'partial'))
  it.expect(parts.length === 0, `Parts of downloads are left: ${parts.join(', ')}.`)
  await host.ask('POST', `/servers/power/${id}`, token, { action: 'kill' })
  await untilAtRest(host, token, id, (status) => status !== 'online' && isAtRest(status))
}

/** Waits until nothing is under way at a server, and answers its status. */
async function untilAtRest(host: Host, token: string, id: string, isIt = isAtRest): Promise<string> {
  const until = Date.now() + PATIENCE
  for (;;) {
    const { status } = (await host.ask('GET', `/servers/status/${id}`, token)) as { status: string }
    if (isIt(status)) return status
    if (Date.now() > until) throw new Error(`The server is still ${status} after ${PATIENCE / 1000} s.`)
    await after(20)
  }
}

const hashOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
