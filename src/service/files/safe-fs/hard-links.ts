import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { openRoot } from './opened-folder.ts'
import { diskPath } from '../names/raw-names.ts'
import { walkTree } from './walk-tree.ts'
import { eachOf } from './walk.ts'

/** Lifetime of a count in ms: moving a folder out takes names along unnoticed. */
const COUNT_MS = 10_000
/** How far file timestamps may lag behind, in ms. */
const STAMP_MS = 100

interface Count {
  began: number
  at: number
  names: Map<string, number>
}

/** Checks that all of a file's names are in a folder: with one outside, the file isn't the server's alone. */
export class HardLinks {
  readonly #root: string
  #count: Promise<Count> | null = null

  constructor(root: string) {
    this.#root = root
  }

  /** Reads the whole folder for the first of several files in a row. */
  async allInside(file: BigIntStats): Promise<boolean> {
    if (file.nlink === 1n) return true
    let count = await this.#count
    // Link changes update a file's ctime, so a count begun after it is valid.
    const isOld =
      !count ||
      performance.now() - count.at > COUNT_MS ||
      count.began - STAMP_MS <= Number(file.ctimeMs) ||
      // The clock was set back: a later change may have an earlier date.
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
