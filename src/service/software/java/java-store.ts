import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { mkdir, readdir, rename, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { fullDisk } from '../../../host/disk-errors.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import { bytesIn } from '../../files/safe-fs/walk.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import { noRoom } from '../../../extensions/requests/download-refusals.ts'
import type { Downloads } from '../downloads/downloads.ts'
import {
  SharedTasks,
  type ProgressListener,
  type PauseListener,
  type TaskSubscriber,
} from '../downloads/shared-tasks.ts'
import type { Adoptium, RemoteJava } from './adoptium.ts'
import type { WantedJava } from '../catalog.ts'
import { chooseJava, does } from './choose-java.ts'
import { javaAt, type InstalledJava } from './find-java.ts'
import { thisComputer, translatedOn, type JavaComputer } from './java-computer.ts'
import { unpack } from './unpack.ts'

interface JavaStoreOptions {
  folder: string
  downloads: Downloads
  adoptium: Adoptium
  computer?: JavaComputer
  spareBytes?: number
}

/** A download no server uses, by folder name. */
interface UnusedJava {
  name: string
  major: number
  bytes: number
}

/** Prefix while unpacking; leftovers after a kill. */
const TEMP = '.new-'
const SWELLS = 4
const SPARE_BYTES = 256 * 1024 * 1024

export class JavaStore {
  readonly #options: JavaStoreOptions
  readonly #computer: JavaComputer
  readonly #tasks = new SharedTasks<InstalledJava>()
  #number = 0

  constructor(options: JavaStoreOptions) {
    this.#options = options
    this.#computer = options.computer ?? thisComputer()
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  }

  /** Removes leftovers. Call once, first. Never rejects. */
  async sweep(failed: (error: unknown) => void = () => undefined): Promise<void> {
    const left = readdirSync(this.#options.folder).filter((name) => name.startsWith(TEMP))
    for (const name of left) await this.#remove(name).catch(failed)
  }

  async list(): Promise<InstalledJava[]> {
    const names = await readdir(this.#options.folder)
    const javas = await Promise.all(
      names
        .filter((name) => !name.startsWith(TEMP))
        .sort()
        .map((name) => this.#javaIn(path.join(this.#options.folder, name))),
    )
    return javas.filter((java) => java !== null)
  }

  /** Prefers an installed one. Rejects as `offered` and `Downloads.fetch` do, and with 502 `software.java-broken`. */
  async fetch(java: WantedJava, wanted: TaskSubscriber): Promise<InstalledJava> {
    const key = `${java.major}${java.exact ? ' and no other' : ''}`
    return this.#tasks.join(key, (...given) => this.#bring(java, ...given), wanted)
  }

  /**
   * Prefers native builds: emulated ones are slower. Rejects with 404 `software.java-not-built`, as `Adoptium` does.
   */
  async offered(java: WantedJava, signal: AbortSignal): Promise<RemoteJava> {
    const { adoptium } = this.#options
    for (const computer of [this.#computer, ...translatedOn(this.#computer)]) {
      const own = await adoptium.latest(java.major, computer, signal)
      if (own) return own
      const others = java.exact ? [] : await adoptium.lasting(signal)
      for (const major of others.filter((one) => one !== java.major && does(java, one))) {
        const other = await adoptium.latest(major, computer, signal)
        if (other) return other
      }
    }
    throw notBuilt(java.major, this.#computer)
  }

  /** Oldest first. Rejects as `offered` does. */
  async fetchable(signal: AbortSignal): Promise<number[]> {
    const isOffered = (major: number) =>
      this.offered({ major, exact: true }, signal).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal && error.status === 404) return false
          throw error
        },
      )
    const majors = await this.#options.adoptium.lasting(signal)
    const offered = await Promise.all(majors.map(isOffered))
    return majors.filter((_, at) => offered[at])
  }

  async unused(wanted: readonly WantedJava[], found: readonly InstalledJava[]): Promise<UnusedJava[]> {
    const own = await this.list()
    const all = [...own, ...found]
    const used = new Set(
      wanted.map((one) => chooseJava(one, all)).map((one) => (one.kind === 'found' ? one.java.home : '')),
    )
    return Promise.all(
      own
        .filter(({ home }) => !used.has(home))
        .map(async ({ home, major }) => {
          const name = path.relative(this.#options.folder, home).split(path.sep)[0]!
          return { name, major, bytes: await bytesIn(path.join(this.#options.folder, name)) }
        }),
    )
  }

  /** Checks `mayGo` right before each. Returns the bytes freed. */
  async discard(javas: readonly UnusedJava[], mayGo: () => boolean): Promise<number> {
    let freed = 0
    for (const { name, bytes } of javas) {
      const gone = `${TEMP}gone-${process.pid}-${++this.#number}`
      if (!mayGo()) break
      renameSync(path.join(this.#options.folder, name), path.join(this.#options.folder, gone))
      await this.#remove(gone)
      freed += bytes
    }
    return freed
  }

  close(): Promise<void> {
    return this.#tasks.close()
  }

  async #bring(
    java: WantedJava,
    signal: AbortSignal,
    onProgress: ProgressListener,
    onWaiting: PauseListener,
  ): Promise<InstalledJava> {
    const there = (await this.list()).findLast(({ major }) => major === java.major)
    if (there) return there
    const { downloads } = this.#options
    const remote = await this.offered(java, signal)
    const archive = await downloads.fetch(remote.file, { signal, onProgress, onWaiting })
    await this.#requireRoom(remote)
    const temp = `${TEMP}${process.pid}-${++this.#number}`
    await this.#remove(temp)
    try {
      return await this.#install(remote, archive, temp, signal)
    } finally {
      await this.#remove(temp)
    }
  }

  /** Verifies it before giving it its final name. */
  async #install(
    remote: RemoteJava,
    archive: string,
    temp: string,
    signal: AbortSignal,
  ): Promise<InstalledJava> {
    const within = path.join(this.#options.folder, temp)
    await mkdir(within, { mode: 0o700 })
    const format = /\.zip$/i.test(remote.file.name) ? 'zip' : 'tar.gz'
    await unpack(archive, format, within, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      if (fullDisk(error)) return this.#full(remote)
      throw broken(remote, error instanceof Error ? error.message : '')
    })
    // macOS archives contain `._` files.
    const tops = (await readdir(within)).filter((name) => !name.startsWith('._'))
    const [top = ''] = tops
    if (tops.length !== 1 || !(await stat(path.join(within, top))).isDirectory())
      throw broken(remote, 'The archive does not contain one folder with all the rest in it.')
    const java = await this.#javaIn(path.join(within, top))
    if (java?.major !== remote.major)
      throw broken(remote, `The archive contains no Java ${remote.major} for this computer.`)
    const to = path.join(this.#options.folder, folderName(remote))
    signal.throwIfAborted()
    await removeTree(to)
    await rename(path.join(within, top), to)
    const installed = await this.#javaIn(to)
    if (!installed) throw lost(remote)
    return installed
  }

  /** On macOS it is nested. */
  async #javaIn(folder: string): Promise<InstalledJava | null> {
    return (
      (await javaAt(folder, this.#computer)) ??
      (await javaAt(path.join(folder, 'Contents', 'Home'), this.#computer))
    )
  }

  async #requireRoom(remote: RemoteJava): Promise<void> {
    const { spare, free, needed } = await this.#room(remote)
    if (free - spare < needed) throw noRoom(remote.file, { needed, free, spare })
  }

  async #full(remote: RemoteJava): Promise<never> {
    throw noRoom(remote.file, await this.#room(remote))
  }

  async #room({ file }: RemoteJava): Promise<{ needed: number; free: number; spare: number }> {
    const { bavail, bsize } = await statfs(this.#options.folder)
    const { spareBytes: spare = SPARE_BYTES } = this.#options
    return { needed: (file.size ?? 0) * SWELLS, free: bavail * bsize, spare }
  }

  async #remove(name: string): Promise<void> {
    await removeTree(path.join(this.#options.folder, name))
  }
}

/** `jdk-21.0.5+11-jre` → `java-21-jdk-21.0.5-11-jre`: some servers refuse paths with `+` or `!`. */
const folderName = ({ major, release }: RemoteJava) =>
  `java-${major}-${release.replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, 80)}`

const notBuilt = (major: number, { os, architecture }: JavaComputer) =>
  refusal(404, 'software.java-not-built', { major, os, architecture })

const broken = ({ major, release }: RemoteJava, why: string) =>
  refusal(502, 'software.java-broken', { major, release: release.slice(0, 80), why })

const lost = ({ major, release }: RemoteJava) =>
  refusal(502, 'software.java-broken.not-found', { major, release: release.slice(0, 80) })
