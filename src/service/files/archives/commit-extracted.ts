import { copyFileSync, linkSync, lstatSync, renameSync, unlinkSync, type BigIntStats } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtractWish } from './extract.ts'
import { joined, splitLast } from '../../../contract/rules/paths.ts'
import type { CommitResult } from '../write/commit-file.ts'
import type { ServerFiles } from '../server-files.ts'
import type { DiskPath } from '../names/raw-names.ts'
import { Yielder } from '../../../host/yield.ts'
import type { ArchiveExtraction } from './unpack.ts'

interface Step {
  committed: CommitResult
  former: string | null
}

/** On failure, rolls back, except where others changed files meanwhile. `keep`: staging folder for replaced files. */
export async function commitAll(
  files: ServerFiles,
  { to, conflict }: ExtractWish,
  unpacking: ArchiveExtraction,
  keep: string,
): Promise<void> {
  const yielder = new Yielder()
  const steps: Step[] = []
  const madeFolders: string[] = []
  const folderOf = async (path: string) => void madeFolders.push(...(await files.makeFolder(path)))
  const known = new Set<string>()
  try {
    if (to !== '') await folderOf(to)
    for (const path of unpacking.folders) {
      await yielder.next()
      await folderOf(joined(to, path))
    }
    for (const [path, modifiedAt] of unpacking.files) {
      await yielder.next()
      const target = joined(to, path)
      const { folder } = splitLast(target)
      if (folder !== '' && !known.has(folder)) await folderOf(folder)
      known.add(folder)
      let former: string | null = null
      const check = (there: BigIntStats | null) => {
        if (conflict !== 'replace' || !there || there.isDirectory()) return
        former = join(keep, String(steps.length))
        using located = files.locate(target, { follow: true })
        keepAt(located.at, former)
      }
      const committed = await files.commit(unpacking.tempOf(path), target, {
        conflict,
        modifiedAt,
        durable: false,
        check,
      })
      if (committed.outcome === 'done') steps.push({ committed, former })
    }
    await files.flush(new Set([...known, ...madeFolders.map((path) => splitLast(path).folder)]))
  } catch (error) {
    // In reverse: two names may be the same file.
    for (const step of steps.reverse()) {
      await yielder.next()
      takeBack(files, step)
    }
    files.space.forget()
    for (const path of madeFolders.reverse()) {
      try {
        using located = files.locate(path)
        await rmdir(located.at)
      } catch {
        // Replaced meanwhile.
      }
    }
    throw error
  }
}

/** Hard link, or a copy where the disk has none (some USB sticks). */
function keepAt(from: DiskPath, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    copyFileSync(from, to)
  }
}

function takeBack(files: ServerFiles, { committed, former }: Step): void {
  try {
    using located = files.locate(committed.path, { follow: true })
    if (lstatSync(located.at, { bigint: true }).ino !== committed.stat.ino) return
    if (former === null) unlinkSync(located.at)
    else renameSync(former, located.at)
  } catch {
    // Already removed.
  }
}
