import type { BigIntStats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eachOf } from './tree.ts'

/**
 * Whether every name of a file lies within a folder of the system. Reads the whole tree, at most: files with several
 * names are rare there.
 */
export async function allNamesInside(root: string, file: BigIntStats): Promise<boolean> {
  let missing = file.nlink
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    await eachOf(entries, async (entry) => {
      if (missing === 0n || !entry.isFile()) return
      const stat = await lstat(join(folder, entry.name), { bigint: true }).catch(() => null)
      if (stat?.ino === file.ino && stat.dev === file.dev) missing--
    })
    for (const entry of entries)
      if (missing > 0n && entry.isDirectory()) await search(join(folder, entry.name))
  }
  await search(root)
  return missing <= 0n
}
