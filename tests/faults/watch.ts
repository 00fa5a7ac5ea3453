import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Expected, Tree } from './tree.ts'

/** Between two looks at a folder, in milliseconds. */
const LOOK_EVERY = 15

/** How the panel names what has not come down as a whole. */
export const PARTS = /(^|\/)\.[^/]+\.part$/

/** What was found to be wrong, by path. */
export interface Findings {
  /** Not there at the end, or not byte for byte. */
  lost: string[]
  /** There besides what was sent, such as `name (2)`, a second folder, or a part that nobody took away. */
  doubled: string[]
  /** Seen under its final name while it was not whole. */
  half: string[]
  /** Arrived with another time than it was sent with. */
  times: string[]
}

/** SHA-256 of a file in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** Looks at a folder all the time while a tree arrives there, and compares at the end. */
export class Watch {
  readonly #folder: string
  readonly #files: ReadonlyMap<string, Expected>
  readonly #folders: readonly string[]
  /** Folders that have to be there, those around other things too. */
  readonly #known = new Set<string>()
  #ignore: RegExp | null
  /** Path → when it was found to be whole. */
  readonly #whole = new Map<string, number>()
  readonly #half = new Set<string>()
  readonly #strange = new Set<string>()
  readonly #stop = new AbortController()
  readonly #looking: Promise<void>
  /** How often it was looked. */
  looks = 0

  /** @param folder where the tree arrives; nothing else is there but, until the end, what `ignore` names */
  constructor(folder: string, tree: Pick<Tree, 'files' | 'folders'> & { ignore?: RegExp }) {
    this.#folder = folder
    this.#files = tree.files
    this.#folders = tree.folders
    this.#ignore = tree.ignore ?? null
    for (const name of [...tree.files.keys()].map(path.posix.dirname).concat(tree.folders))
      for (let at = name; at !== '.'; at = path.posix.dirname(at)) this.#known.add(at)
    this.#looking = this.#lookOn()
  }

  /** Ends looking. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#looking
  }

  /** Ends looking and compares everything by its hash. */
  async end(): Promise<Findings> {
    await this.stop()
    // What was whole once is read again: nothing may have been written over it since.
    this.#whole.clear()
    this.#ignore = null
    await this.#look()
    const lost = [...this.#files.keys()].filter((name) => !this.#whole.has(name))
    for (const name of this.#folders)
      if (!(await stat(path.join(this.#folder, name)).catch(() => null))?.isDirectory()) lost.push(`${name}/`)
    const times = [...this.#whole].filter(
      ([name, at]) => Math.abs(at - (this.#files.get(name)?.modifiedAt ?? 0)) > 1000,
    )
    return {
      lost,
      doubled: [...this.#strange],
      half: [...this.#half],
      times: times.map(([name]) => name),
    }
  }

  async #lookOn(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#look()
      await wait(LOOK_EVERY, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  async #look(): Promise<void> {
    this.looks += 1
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name)
      const name = path.relative(this.#folder, file).replaceAll(path.sep, '/')
      if (entry.isDirectory()) {
        if (!this.#known.has(name)) this.#strange.add(`${name}/`)
        continue
      }
      if (this.#whole.has(name) || this.#ignore?.test(name)) continue
      const expected = this.#files.get(name)
      if (!expected) this.#strange.add(name)
      else await this.#check(file, name, expected)
    }
  }

  async #check(file: string, name: string, expected: Expected): Promise<void> {
    try {
      const { size, mtimeMs } = await stat(file)
      if (size === expected.size && (await sha256Of(file)) === expected.sha256) this.#whole.set(name, mtimeMs)
      else this.#half.add(name)
    } catch (error) {
      // It went between two looks; whether it may is told by the end.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
