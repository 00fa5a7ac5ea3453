import type { BigIntStats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eachOf } from './walk.ts'

/** A count is gone by no longer than this, in milliseconds: a folder that is moved out takes names with it unseen. */
const COUNT_MS = 10_000
/** Systems stamp files by a clock that may be so much late, in milliseconds. */
const STAMP_MS = 100

/** Names of a folder's files that have several. */
interface Count {
  /** ms since 1970. */
  began: number
  /** The same, by a clock that nobody can set. */
  at: number
  /** Names found, by file. */
  names: Map<string, number>
}

/** Tells whether all names of a file lie within a folder of the system: one outside makes it somebody else's too. */
export class HardLinks {
  readonly #root: string
  #count: Promise<Count> | null = null

  constructor(root: string) {
    this.#root = root
  }

  /** Reads the whole folder for the first of several such files that are asked about in a row. */
  async allInside(file: BigIntStats): Promise<boolean> {
    if (file.nlink === 1n) return true
    let count = await this.#count
    // A file's own time changes with its names, so a count that began after it holds for it.
    const isOld =
      !count ||
      performance.now() - count.at > COUNT_MS ||
      count.began - STAMP_MS <= Number(file.ctimeMs) ||
      // Somebody has set the clock back: a change since then may be dated before the count.
      Date.now() < count.began
    if (!count || isOld) count = await (this.#count = counted(this.#root))
    return (count.names.get(keyOf(file)) ?? 0) >= file.nlink
  }
}

async function counted(root: string): Promise<Count> {
  const count: Count = { began: Date.now(), at: performance.now(), names: new Map() }
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    await eachOf(entries, async (entry) => {
      if (!entry.isFile()) return
      const stat = await lstat(join(folder, entry.name), { bigint: true }).catch(() => null)
      if (stat && stat.nlink > 1n) count.names.set(keyOf(stat), (count.names.get(keyOf(stat)) ?? 0) + 1)
    })
    for (const entry of entries) if (entry.isDirectory()) await search(join(folder, entry.name))
  }
  await search(root)
  return count
}

const keyOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`
