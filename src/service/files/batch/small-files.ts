import { closeSync, fsync, futimesSync, open, rmSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { fileTime } from '../../../host/file-time.ts'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { parentOf, splitLast } from '../../../contract/rules/paths.ts'
import { type ActionContext, errorOf, type Result, resultOf } from '../item-actions.ts'
import { partsOf } from '../names/names.ts'
import { type OpenedFolder, requireComing } from '../safe-fs/opened-folder.ts'
import { Yielder } from '../../../host/yield.ts'
import { putNew } from '../write/commit-file.ts'

/** Files placed per synchronous step, which blocks the event loop for a few ms. */
const TOGETHER = 32
/** Limit of path segments per step: each is a folder to open. */
const NAMES_TOGETHER = 500

// Not `node:fs/promises`: closing its handles takes another trip through the thread pool.
const opened = promisify(open)
const toDisk = promisify(fsync)

interface SmallFile {
  path: string
  chunks: readonly Buffer[]
  size: number
  modifiedAt: number | null
  check: () => void
  told: (result: Result) => void
}

interface PendingFile extends Omit<SmallFile, 'chunks' | 'check'> {
  temp: string
}

/** Syncs small files in parallel, then places many in one synchronous step, checking rights once. */
export class SmallFiles {
  readonly #desk: ActionContext
  readonly #conflict: Conflict
  #waiting: PendingFile[] = []

  constructor(desk: ActionContext, conflict: Conflict) {
    this.#desk = desk
    this.#conflict = conflict
  }

  /** Resolves once it is on disk or its failure is reported; `place` gives it its name. */
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

  get areMany(): boolean {
    return this.#waiting.length >= TOGETHER
  }

  async place(): Promise<void> {
    const { files } = this.#desk
    const waiting = this.#waiting.splice(0)
    const bytes = waiting.reduce((sum, { size }) => sum + size, 0)
    // Check the quota again for concurrent writes. If not all fit, check each one.
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

  /** Yields to the event loop. */
  async #makeFolders(waiting: readonly PendingFile[]): Promise<void> {
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

  /** Synchronous. Returns the files that have to be placed one by one. */
  #placeAtOnce(waiting: readonly PendingFile[]): PendingFile[] {
    const { files, checkAgain } = this.#desk
    try {
      checkAgain()
    } catch {
      // No longer permitted: report that for each file.
      return [...waiting]
    }
    const folders = new Map<string, OpenedFolder>()
    const left: PendingFile[] = []
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

  #placeInto(folders: Map<string, OpenedFolder>, { path, temp }: PendingFile): boolean {
    try {
      const { folder: parent, name } = splitLast(partsOf(path).join('/'))
      const folder = folders.get(parent) ?? this.#desk.files.open(parent, { make: true })
      folders.set(parent, folder)
      requireComing(folder, [name], { make: true })
      return putNew(temp, folder.at(name))
    } catch {
      // Placing it on its own reports the reason.
      return false
    }
  }

  async #placeByItself({ path, temp, modifiedAt, told }: PendingFile): Promise<void> {
    const { files, log, checkAgain } = this.#desk
    const conflict = this.#conflict
    const result = await resultOf(log, path, () =>
      files.commit(temp, path, { conflict, modifiedAt, durable: false, check: checkAgain }),
    )
    if (result.outcome === 'failed') removed(temp)
    told(result)
  }
}

function inGoes(waiting: readonly PendingFile[]): PendingFile[][] {
  const goes: PendingFile[][] = []
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

/** Leftovers are swept at the next start. */
function removed(temp: string): void {
  try {
    rmSync(temp, { force: true })
  } catch {
    // It doesn't count towards the quota.
  }
}

/** Writing to memory is synchronous, as the thread pool costs more; creating and syncing may wait for the disk. */
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
