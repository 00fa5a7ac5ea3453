import { closeSync, fsync, futimesSync, open, rmSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { fileTime } from '../../../host/file-time.ts'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { parentOf, splitLast } from '../../../contract/rules/paths.ts'
import { type Desk, errorOf, type Result, resultOf } from '../item-actions.ts'
import { partsOf } from '../names/names.ts'
import { type OpenedFolder, requireComing } from '../safe-fs/opened-folder.ts'
import { Yielder } from '../../base/yield.ts'
import { putNew } from '../write/commit-file.ts'

/** So many are put in their places in one go, which holds others up for some milliseconds. */
const TOGETHER = 32
/** Most names in their paths together: each name is a folder to open. */
const NAMES_TOGETHER = 500

// Without the handles of `node:fs/promises`, which are closed by a way through the thread pool of their own.
const opened = promisify(open)
const toDisk = promisify(fsync)

/** A small file of a batch, all of it here. */
export interface SmallFile {
  path: string
  chunks: readonly Buffer[]
  size: number
  /** Milliseconds since 1970; null: now. */
  modifiedAt: number | null
  /** Throws where it is not what was sent. */
  check: () => void
  /** What became of it. */
  told: (result: Result) => void
}

interface Waiting extends Omit<SmallFile, 'chunks' | 'check'> {
  temp: string
}

/**
 * Small files on their way into a server's folder. Each is written and brought to the disk by itself, a few at the same time.
 * Then many get their names in one go, with nothing in between: the rights are asked for once, and each folder is opened once.
 */
export class SmallFiles {
  readonly #desk: Desk
  readonly #conflict: Conflict
  #waiting: Waiting[] = []

  constructor(desk: Desk, conflict: Conflict) {
    this.#desk = desk
    this.#conflict = conflict
  }

  /** Writes one. Resolves when it is on the disk, and told where that failed; it gets its name with `place`. */
  async write({ chunks, check, ...file }: SmallFile): Promise<void> {
    const { files, log } = this.#desk
    let temp: string | null = null
    try {
      check()
      temp = files.newTemp()
      await writeWhole(temp, chunks, file.modifiedAt)
      this.#waiting.push({ ...file, temp })
    } catch (error) {
      if (temp !== null) removed(temp)
      file.told({ path: file.path, outcome: 'failed', error: errorOf(log, error, file.path) })
    }
  }

  get areNone(): boolean {
    return this.#waiting.length === 0
  }

  /** Whether there are enough to be placed. */
  get areMany(): boolean {
    return this.#waiting.length >= TOGETHER
  }

  /** Gives those that are on the disk their names. */
  async place(): Promise<void> {
    const { files } = this.#desk
    const waiting = this.#waiting.splice(0)
    const bytes = waiting.reduce((sum, { size }) => sum + size, 0)
    // The quota once more: others came meanwhile. Where they do not all fit, each is asked for by itself.
    const fit = await files.space.requireQuota(bytes).then(
      () => true,
      () => false,
    )
    if (fit) await this.#makeFolders(waiting)
    const yielder = new Yielder()
    for (const some of inGoes(waiting)) {
      await yielder.next()
      for (const one of fit ? this.#placeAtOnce(some) : some) {
        await yielder.next()
        await this.#placeByItself(one)
      }
    }
  }

  /** Creates their folders first, with turns for others. */
  async #makeFolders(waiting: readonly Waiting[]): Promise<void> {
    const { files, checkAgain } = this.#desk
    for (const folder of new Set(waiting.map(({ path }) => parentOf(path)))) {
      try {
        checkAgain()
        await files.makeFolder(folder)
      } catch {
        // Placing the file reports the reason.
      }
    }
  }

  /** Answers those whose place is not free, or not to be had in this way. From here to the end nothing waits. */
  #placeAtOnce(waiting: readonly Waiting[]): Waiting[] {
    const { files, checkAgain } = this.#desk
    try {
      checkAgain()
    } catch {
      // Who asks may no longer do this: each is told so.
      return [...waiting]
    }
    const folders = new Map<string, OpenedFolder>()
    const left: Waiting[] = []
    try {
      for (const one of waiting) {
        if (this.#placeInto(folders, one)) {
          files.space.add(one.size)
          one.told({ path: one.path, outcome: 'done', finalPath: one.path })
        } else left.push(one)
      }
      return left
    } finally {
      for (const folder of folders.values()) folder[Symbol.dispose]()
    }
  }

  #placeInto(folders: Map<string, OpenedFolder>, { path, temp }: Waiting): boolean {
    try {
      const { folder: parent, name } = splitLast(partsOf(path).join('/'))
      const folder = folders.get(parent) ?? this.#desk.files.open(parent, { make: true })
      folders.set(parent, folder)
      requireComing(folder, [name], { make: true })
      return putNew(temp, folder.at(name))
    } catch {
      // It is tried by itself, which tells why.
      return false
    }
  }

  async #placeByItself({ path, temp, modifiedAt, told }: Waiting): Promise<void> {
    const { files, log, checkAgain } = this.#desk
    const conflict = this.#conflict
    const result = await resultOf(log, path, () =>
      files.commit(temp, path, { conflict, modifiedAt, durable: false, check: checkAgain }),
    )
    if (result.outcome === 'failed') removed(temp)
    told(result)
  }
}

/** Splits files into groups that are placed in one go. */
function inGoes(waiting: readonly Waiting[]): Waiting[][] {
  const goes: Waiting[][] = []
  let names = Infinity
  for (const one of waiting) {
    const depth = one.path.split('/').length
    if ((names += depth) > NAMES_TOGETHER) {
      goes.push([])
      names = depth
    }
    goes.at(-1)!.push(one)
  }
  return goes
}

/** What cannot be removed is swept at the next start. */
function removed(temp: string): void {
  try {
    rmSync(temp, { force: true })
  } catch {
    // It counts to no quota.
  }
}

/**
 * Writes a new file and brings it to the disk. What goes to memory is synchronous, since that takes less time than a way
 * through the thread pool; what may wait for the disk is not: making the file and bringing it there.
 */
async function writeWhole(temp: string, chunks: readonly Buffer[], modifiedAt: number | null): Promise<void> {
  const fd = await opened(temp, 'wx', 0o600)
  try {
    for (const chunk of chunks) for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at)
    if (modifiedAt !== null) futimesSync(fd, new Date(), fileTime(modifiedAt))
    await toDisk(fd)
  } finally {
    closeSync(fd)
  }
}
