import { spawn } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { Host } from '../faults/host.ts'
import { Servers } from '../faults/servers.ts'
import { Stage } from '../faults/stage.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { cpuSeconds } from './cpu.ts'
import { benchExtensions } from './extensions.ts'
import { benchInstall, offer, SMALL_VERSION } from './install.ts'
import { heldBytes } from './memory.ts'
import { median, type Outcome } from './table.ts'

/** Starts that are measured. */
const PAIRS = 5
const RUNNING = 30
/** How long servers run before and while they are looked at, in milliseconds. */
const SETTLE = 10_000
const LOOK = 20_000

/** What running real servers costs: installing one beside the bare work, starting one beside bare Java, and many that are idle. */
export async function benchServers(): Promise<Outcome> {
  const catalogs = await CatalogServer.start()
  const stage = await Stage.open()
  try {
    const offered = await offer(catalogs, stage)
    const extensions = await benchExtensions(catalogs, stage, SMALL_VERSION)
    const installs = await benchInstall(catalogs, offered)
    const host = await Host.start(stage, { catalogs: catalogs.settings })
    const service = await Servers.of(host)
    const starts = await benchStart(service)
    const idle = await benchIdle(service)
    return { bench: 'servers', lost: 0, figures: [installs, starts, ...extensions, ...idle] }
  } finally {
    await stage.close()
    await catalogs.stop()
  }
}

/** From the press of Start to online, and the same program with the same arguments alone, in turn. */
async function benchStart(service: Servers) {
  const id = await service.create({ software: 'paper', version: SMALL_VERSION })
  await reaches(service, id, 'offline')
  const more: number[] = []
  const told: string[] = []
  for (let at = 0; at <= PAIRS; at++) {
    const began = performance.now()
    await service.power(id, 'start')
    await reaches(service, id, 'online')
    const took = performance.now() - began
    const [file, ...args] = await commandOf(service.folderOf(id))
    await service.power(id, 'stop')
    await reaches(service, id, 'offline')
    const limit = await bareStart(file!, args, service.folderOf(id))
    if (at === 0) continue
    more.push(took - limit)
    told.push(`${took.toFixed(0)}/${limit.toFixed(0)}`)
  }
  return {
    name: 'start → ready, more than bare java -jar',
    value: median(more),
    unit: 'ms',
    target: 150,
    note: `${told.join(' ')} ms`,
  } as const
}

async function bareStart(file: string, args: string[], cwd: string): Promise<number> {
  const began = performance.now()
  const java = spawn(file, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => java.once('close', resolve))
  let said = ''
  const took = await new Promise<number>((resolve, reject) => {
    java.once('error', reject)
    void ended.then(() => reject(new Error(`Java ended before it was ready:\n${said}`)))
    java.stdout.on('data', (text: Buffer) => {
      said += text.toString()
      if (/Done \(/.test(said)) resolve(performance.now() - began)
    })
  })
  java.stdin.end('stop\n')
  await ended
  return took
}

/** What the service costs while many servers run and nobody looks. */
async function benchIdle(service: Servers) {
  for (let at = 0; at < RUNNING; at++) {
    const id = await service.create({ software: 'paper', version: SMALL_VERSION })
    await reaches(service, id, 'offline')
    await service.power(id, 'start')
    await reaches(service, id, 'online')
  }
  await after(SETTLE)
  const { pid } = service.host
  const before = await cpuSeconds(pid)
  await after(LOOK)
  const share = ((await cpuSeconds(pid)) - before) / (LOOK / 1000)
  const { pss, rss } = await heldBytes(pid)
  return [
    { name: `${RUNNING} servers running: CPU of the service`, value: share * 100, unit: '%', target: 3 },
    {
      name: `${RUNNING} servers running: memory of the service`,
      value: pss / 1e6,
      unit: 'MB',
      target: 120,
      note: `resident ${(rss / 1e6).toFixed(0)} MB`,
    },
  ] as const
}

/** The program that runs a server, with its arguments. */
async function commandOf(folder: string): Promise<string[]> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (cwd === folder) return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1)
  }
  throw new Error('The program of a server that is online was not found.')
}

/** Waits for a status; a server that crashes is no figure. */
async function reaches(service: Servers, id: string, wanted: string): Promise<void> {
  const reached = await service.until(id, [wanted, 'crashed'])
  if (reached !== wanted)
    throw new Error(`A server crashed: ${(await service.said(id)).slice(-5).join('\n')}`)
}
