import { copyFileSync, linkSync, lstatSync, renameSync, unlinkSync, type BigIntStats } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractWish } from './extract.ts'
import { joined, splitLast } from '../../../contract/pure/paths.ts'
import type { Placed } from '../write/commit-file.ts'
import type { ServerFiles } from '../server-files.ts'
import { Turns } from '../safe-fs/yield.ts'
import type { Unpacking } from './unpack.ts'

/** A file that was placed, and where the one is kept that was there before. */
interface Step {
  placed: Placed
  former: string | null
}

/**
 * Places all files. If one cannot be, those that are new are taken away again, and those that were replaced are there as
 * before; what somebody else changed meanwhile stays as they have it.
 *
 * @param keep an empty folder of the staging area, for what is replaced.
 */
export async function placeAll(
  files: ServerFiles,
  { to, conflict }: ExtractWish,
  unpacking: Unpacking,
  keep: string,
): Promise<void> {
  const turns = new Turns()
  const steps: Step[] = []
  const madeFolders: string[] = []
  const folderOf = (path: string) => {
    try {
      files.open(path)[Symbol.dispose]()
    } catch {
      const parts = path.split('/')
      for (let i = 1; i <= parts.length; i++) {
        const above = parts.slice(0, i).join('/')
        try {
          files.open(above)[Symbol.dispose]()
        } catch {
          files.open(above, { make: true })[Symbol.dispose]()
          madeFolders.push(above)
        }
      }
    }
  }
  const known = new Set<string>()
  try {
    if (to !== '') folderOf(to)
    for (const path of unpacking.folders) {
      await turns.next()
      folderOf(joined(to, path))
    }
    for (const [path, modifiedAt] of unpacking.files) {
      await turns.next()
      const target = joined(to, path)
      const { folder } = splitLast(target)
      if (folder !== '' && !known.has(folder)) folderOf(folder)
      known.add(folder)
      let former: string | null = null
      const check = (there: BigIntStats | null) => {
        if (conflict !== 'replace' || !there || there.isDirectory()) return
        former = join(keep, String(steps.length))
        using place = files.locate(target, { follow: true })
        keepAt(place.at, former)
      }
      const placed = await files.place(unpacking.tempOf(path), target, {
        conflict,
        modifiedAt,
        durable: false,
        check,
      })
      if (placed.outcome === 'done') steps.push({ placed, former })
    }
    await files.flush(new Set([...known, ...madeFolders.map((path) => splitLast(path).folder)]))
  } catch (error) {
    // Backwards: two names may lead to the same file.
    for (const step of steps.reverse()) {
      await turns.next()
      takeBack(files, step)
    }
    files.space.forget()
    for (const path of madeFolders.reverse()) {
      try {
        using place = files.locate(path)
        await rmdir(place.at)
      } catch {
        // It holds something else by now.
      }
    }
    throw error
  }
}

/** Gives a file a second name, in no time. Where there are no hard links (some USB sticks) it is copied. */
function keepAt(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    copyFileSync(from, to)
  }
}

function takeBack(files: ServerFiles, { placed, former }: Step): void {
  try {
    using place = files.locate(placed.path, { follow: true })
    if (lstatSync(place.at, { bigint: true }).ino !== placed.stat.ino) return
    if (former === null) unlinkSync(place.at)
    else renameSync(former, place.at)
  } catch {
    // Somebody else took it away.
  }
}
