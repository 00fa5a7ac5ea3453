import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import type { Case } from './case.ts'
import { attacks } from './greedy/attacks.ts'
import { Hands } from './greedy/hands.ts'
import type { Found, ProbeData } from './greedy/probe.ts'
import { Host } from './host.ts'
import { moveIn } from './moves-in.ts'
import { Servers } from './servers.ts'

const MB = 1024 * 1024
const OTHER = { email: 'other@example.com', password: 'another long enough password' }

/** The aim on a computer that does nothing else, in milliseconds. It is judged in the long form alone. */
const WORST_MS = 100
/**
 * What is judged on a computer that has other things to do: several times what the same questions took in calm just
 * before, and never less than this, in milliseconds. What this fault is about took longer than that many times over.
 */
const BUSY_MS = 800
const BUSY_TIMES = 8
/**
 * The service may grow by so much, in bytes, whatever one account does. On a busy computer garbage is collected later;
 * what is held by each kind of archive is judged more closely in `archive-bounds.test.ts`.
 */
const [SHORT_MEMORY, LONG_MEMORY] = [384 * MB, 256 * MB]
/** All files of the log together, in bytes. */
const LOG = 20 * MB
/** How long each attack goes on, in milliseconds. */
const [SHORT_MS, LONG_MS] = [700, 6000]
/** How long it is measured in calm before each, in milliseconds. */
const BEFORE_MS = 250

/** One account, or a stranger, does its worst; another one goes on working beside it. */
export async function greedy(it: Case): Promise<void> {
  const { stage, long } = it
  const catalogs = await CatalogServer.start()
  stage.atEnd(() => catalogs.stop())
  const kept = { catalogs: catalogs.settings, wholeHashes: true }
  const host = await Host.start(stage, { others: [OTHER], ...kept })
  const greedyOne = await host.signIn()
  const other = await host.signIn(OTHER)
  // A server that takes plugins: what lies in its folder has the most readers.
  const servers = await Servers.of(host)
  const ownId = await moveIn(servers, 'greedy')
  const othersId = await host.makeServer(other)
  const othersFolder = path.join(host.data, 'servers', othersId)
  await mkdir(path.join(othersFolder, 'plugins'), { recursive: true })

  const probe = new Worker(new URL('./greedy/probe.ts', import.meta.url), {
    workerData: {
      port: host.port,
      pid: host.pid,
      token: other,
      routes: [
        '/servers',
        `/servers/status/${othersId}`,
        `/servers/files/${othersId}`,
        `/servers/config/${othersId}`,
        `/servers/files/jobs/${othersId}`,
        `/servers/console/${othersId}`,
      ],
    } satisfies ProbeData,
  })
  stage.atEnd(() => probe.terminate())
  const look = () =>
    new Promise<Found>((resolve) => {
      probe.once('message', resolve)
      probe.postMessage('look')
    })
  const lasting = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const folder = servers.folderOf(ownId)
  // What was compiled and read for the first time is not the attacker's doing.
  await lasting(500)
  await look()
  await lasting(long ? 3000 : 1000)
  const calm = await look()
  const fresh = calm.memory
  it.note(
    `calm: ${calm.count} answers, 99 % within ${calm.most.toFixed(0)} ms, worst ${calm.worst.toFixed(0)} ms; ` +
      `the aim is ${WORST_MS} ms on a computer that does nothing else`,
  )
  for (const attack of attacks) {
    await attack.prepare?.(folder, long)
    await look()
    await lasting(BEFORE_MS)
    const before = await look()
    const bound = long ? WORST_MS : Math.max(BUSY_MS, Math.max(calm.worst, before.worst) * BUSY_TIMES)
    const hands = new Hands(host.port, attack.byStranger ? null : greedyOne, ownId, folder)
    const came = await attack.act(hands, performance.now() + (long ? (attack.longMs ?? LONG_MS) : SHORT_MS))
    hands.letGo()
    await lasting(100)
    const found = await look()
    it.tried += 1
    const grown = found.memory !== null && fresh !== null ? (found.memory - fresh) / MB : null
    it.note(
      `${attack.name}: worst ${found.worst.toFixed(0)} of at most ${bound.toFixed(0)} ms (${found.worstRoute.replace(othersId, '…')}), ` +
        `99 % within ${found.most.toFixed(0)} ms, ${found.count} answers` +
        `${grown === null ? '' : `, memory +${grown.toFixed(0)} MB`}; ${came}`,
    )
    it.expect(
      found.worst <= bound,
      `Others waited ${found.worst.toFixed(0)} ms for ${found.worstRoute}, not ${bound.toFixed(0)}: ${attack.name}.`,
    )
    it.expect(found.refused.length === 0, `Others were refused (${found.refused[0]}): ${attack.name}.`)
    if (grown !== null)
      it.expect(
        grown * MB <= (long ? LONG_MEMORY : SHORT_MEMORY),
        `The service grew by ${grown.toFixed(0)} MB: ${attack.name}.`,
      )
  }
  await judgeWhatIsLeft(it, host, greedyOne, ownId)
}

/** What one account left behind is bounded too. */
async function judgeWhatIsLeft(it: Case, host: Host, token: string, serverId: string): Promise<void> {
  const sizeOf = async (at: string) => {
    let bytes = 0
    for (const name of await readdir(at)) bytes += (await stat(path.join(at, name))).size
    return bytes
  }
  const log = await sizeOf(path.join(host.data, 'logs'))
  it.note(`log: ${(log / MB).toFixed(1)} MB`)
  it.expect(log <= LOG, `The log has ${(log / MB).toFixed(0)} MB, not at most ${LOG / MB}.`)
  const begun = await readdir(path.join(host.data, 'staging', serverId, 'uploads')).catch(() => [])
  const uploads = begun.filter((name) => name.endsWith('.json')).length
  it.note(`begun uploads: ${uploads}`)
  it.expect(uploads <= 500, `${uploads} uploads were begun for one server.`)
  let servers = 0
  let cursor: string | null = null
  do {
    const page = (await host.ask(
      'GET',
      `/servers?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`,
      token,
    )) as { items: unknown[]; nextCursor: string | null }
    servers += page.items.length
    cursor = page.nextCursor
  } while (cursor !== null)
  it.note(`servers of one account: ${servers}`)
  it.expect(servers <= 200, `One account made ${servers} servers.`)
}
