import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { openRoot } from './opened-folder.ts'
import { diskPath } from '../names/raw-names.ts'
import { walkTree } from './walk-tree.ts'
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
  using top = openRoot(root)
  for await (const step of walkTree(top, () => undefined)) {
    if (step.kind === 'out') continue
    const { itself } = step.folder
    await eachOf(step.entries, async ({ name, kind }) => {
      if (kind !== 'file') return
      const stat = await lstat(diskPath(itself, name), { bigint: true }).catch(() => null)
      if (stat && stat.nlink > 1n) count.names.set(keyOf(stat), (count.names.get(keyOf(stat)) ?? 0) + 1)
    })
  }
  return count
}

const keyOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`
