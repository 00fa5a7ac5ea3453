import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Host } from '../faults/host.ts'
import { Servers } from '../faults/servers.ts'
import { Stage } from '../faults/stage.ts'
import { offerFill } from '../doubles/catalogs/catalog-answers.ts'
import type { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { inTurns, ratioOf } from './pairs.ts'

const run = promisify(execFile)
const MB = 1024 * 1024
/** What is installed, and what is small and starts with the Java that is here. */
const VERSION = '1.20.4'
export const SMALL_VERSION = '1.20.3'
/** Nobody has it yet, so it is fetched. It is a small image of the Java that is here, under this number. */
const MAJOR = 99

/** Addresses of what is installed. */
export interface Offered {
  jar: string
  java: string
}

/** Puts a jar of a real one's size and a Java into the catalogs; answers their addresses. */
export async function offer(catalogs: CatalogServer, stage: Stage): Promise<Offered> {
  const plain = await readFile(await javaServerJar({ kind: 'paper', version: VERSION, build: '499' }))
  const jar = Buffer.concat([noise(48 * MB), plain])
  const builds = [{ id: 499, jar }]
  offerFill(catalogs, 'paper', [
    { id: VERSION, java: MAJOR, builds },
    { id: SMALL_VERSION, java: 17, builds: [{ id: 499, jar: plain }] },
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
export async function benchInstall(catalogs: CatalogServer, offered: Offered) {
  const rounds = await inTurns(
    'install of a server',
    {
      bare: () => onStage((stage) => bareInstall(stage.at('bare'), offered)),
      ours: () => onStage((stage) => ourInstall(catalogs, stage)),
    },
    ['bare'],
  )
  return ratioOf(rounds, 'ours', 'bare', {
    name: 'install of a server and its Java',
    target: 1.3,
    limitIs: 'the downloads alone and tar -xzf, nothing verified',
  })
}

/** What is measured leaves nothing behind for the next one. */
async function onStage<T>(measure: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await Stage.open()
  try {
    return await measure(stage)
  } finally {
    await stage.close()
  }
}

async function ourInstall(catalogs: CatalogServer, stage: Stage): Promise<number> {
  const service = await Servers.of(await Host.start(stage, { catalogs: catalogs.settings }))
  const began = performance.now()
  const id = await service.create({ software: 'paper', version: VERSION })
  if ((await service.until(id, ['offline', 'crashed'])) === 'crashed') throw new Error('A server crashed.')
  const took = performance.now() - began
  if (!(await readdir(service.folderOf(id))).includes('server.jar')) throw new Error('Nothing was installed.')
  return took
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
