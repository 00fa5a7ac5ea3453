import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as after } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Host } from '../faults/host.ts'
import { Servers } from '../faults/servers.ts'
import { Stage } from '../faults/stage.ts'
import { offerFill } from '../fixtures/catalogue-answers.ts'
import { CatalogueServer } from '../fixtures/catalogue-server.ts'
import { javaServerJar } from '../fixtures/java-server.ts'
import { cpuSeconds } from './cpu.ts'
import { benchExtensions } from './extensions.ts'
import { heldBytes } from './memory.ts'
import { median, type Outcome } from './table.ts'

const run = promisify(execFile)
const MB = 1024 * 1024
const VERSION = '1.20.4'
/** Nobody has it yet, so it is fetched. It is a small image of the Java that is here, under this number. */
const MAJOR = 99
const PAIRS = 5
const RUNNING = 30
/** How long servers run before and while they are looked at, in milliseconds. */
const SETTLE = 10_000
const LOOK = 20_000

/** What running real servers costs: installing one beside the bare work, starting one beside bare Java, and many that are idle. */
export async function benchServers(): Promise<Outcome> {
  const catalogs = await CatalogueServer.start()
  const stage = await Stage.open()
  try {
    const offered = await offer(catalogs, stage)
    const extensions = await benchExtensions(catalogs, stage, '1.20.3')
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

interface Offered {
  jar: string
  java: string
}

/** Puts a jar of a real one's size and a Java into the catalogs; answers their addresses. */
async function offer(catalogs: CatalogueServer, stage: Stage): Promise<Offered> {
  const plain = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  const jar = Buffer.concat([noise(48 * MB), plain])
  const builds = [{ id: 499, jar }]
  offerFill(catalogs, 'paper', [
    { id: VERSION, java: MAJOR, builds },
    { id: '1.20.3', java: 17, builds: [{ id: 499, jar: plain }] },
  ])
  const hash = createHash('sha256').update(jar).digest('hex')

  const image = stage.at('java', `jdk-${MAJOR}`)
  await mkdir(path.dirname(image), { recursive: true })
  await run('jlink', ['--add-modules', 'java.se', '--strip-debug', '--output', image])
  const told = await readFile(path.join(image, 'release'), 'utf8')
  await writeFile(path.join(image, 'release'), told.replace(/^JAVA_VERSION=.*/m, `JAVA_VERSION="${MAJOR}"`))
  const archive = stage.at('java.tar.gz')
  await run('tar', ['-czf', archive, '-C', stage.at('java'), `jdk-${MAJOR}`])
  const bytes = await readFile(archive)
  const name = `OpenJDK${MAJOR}.tar.gz`
  const java = catalogs.put(`/adoptium/files/${name}`, bytes)
  const checksum = createHash('sha256').update(bytes).digest('hex')
  const asset = {
    release_name: `jdk-${MAJOR}`,
    version: { major: MAJOR, semver: `${MAJOR}.0.0` },
    binary: { package: { name, link: java, size: bytes.length, checksum } },
  }
  catalogs.put(`/adoptium/v3/assets/latest/${MAJOR}/hotspot`, [asset])
  return { jar: `${catalogs.base('paper')}/v1/objects/${hash}/paper-${VERSION}-499.jar`, java }
}

/** Bytes without a pattern, which no compression makes smaller. */
const noise = (bytes: number) => {
  const made = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 32) createHash('sha256').update(String(at)).digest().copy(made, at)
  return made
}

/** A server with its Java, each time in a service that has nothing yet, and the bare work in turn. */
async function benchInstall(catalogs: CatalogueServer, offered: Offered) {
  const ours: number[] = []
  const bare: number[] = []
  for (let at = 0; at <= PAIRS; at++) {
    const stage = await Stage.open()
    try {
      const service = await Servers.of(await Host.start(stage, { catalogs: catalogs.settings }))
      const began = performance.now()
      const id = await service.create({ software: 'paper', version: VERSION })
      await reaches(service, id, 'offline')
      const took = performance.now() - began
      if (!(await readdir(service.folderOf(id))).includes('server.jar'))
        throw new Error('Nothing was installed.')
      const limit = await bareInstall(stage.at('bare'), offered)
      process.stderr.write(`  installed in ${took.toFixed(0)} ms (bare ${limit.toFixed(0)} ms)\n`)
      if (at === 0) continue
      ours.push(took)
      bare.push(limit)
    } finally {
      await stage.close()
    }
  }
  return {
    name: 'install of a server and its Java',
    value: median(ours.map((took, at) => took / bare[at]!)),
    unit: '×',
    target: 1.3,
    note: `${ours.map((took, at) => `${took.toFixed(0)}/${bare[at]!.toFixed(0)}`).join(' ')} ms; limit: the downloads alone and tar -xzf, nothing verified`,
  } as const
}

async function bareInstall(folder: string, { jar, java }: Offered): Promise<number> {
  await mkdir(folder, { recursive: true })
  const began = performance.now()
  for (const [from, name] of [
    [java, 'java.tar.gz'],
    [jar, 'server.jar'],
  ] as const) {
    const answer = await fetch(from, { headers: { 'user-agent': 'bench (https://bench.example/)' } })
    if (!answer.ok || !answer.body) throw new Error(`${from} answered ${answer.status}.`)
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path.join(folder, name)))
  }
  await run('tar', ['-xzf', path.join(folder, 'java.tar.gz'), '-C', folder])
  return performance.now() - began
}

/** From the press of Start to online, and the same program with the same arguments alone, in turn. */
async function benchStart(service: Servers) {
  const id = await service.create({ software: 'paper', version: '1.20.3' })
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
    const id = await service.create({ software: 'paper', version: '1.20.3' })
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
