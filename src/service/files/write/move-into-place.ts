import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { joined, splitLast } from '../../../contract/rules/paths.ts'
import { numbered } from '../../../contract/rules/names.ts'
import { putNew } from './commit-file.ts'
import type { Desk } from '../item-actions.ts'
import { exists, intoItself } from '../names/refusals.ts'
import { moveFolder } from '../safe-fs/move-folder.ts'
import type { LocateOptions } from '../server-files.ts'
import type { DiskPath } from '../names/raw-names.ts'

/** What became of one item, where nothing failed. */
export interface Moved {
  outcome: 'done' | 'skipped'
  /** Contract path of where it is. */
  path: string
}

const MOST_NUMBERS = 10_000

/**
 * Moves something (a path of the system, on the same disk) to a contract path, in one step. What is there and is to be
 * replaced goes to the trash, so that no choice made in a hurry loses anything. Throws Refusal 409 `files.exists`.
 */
export async function moveIntoPlace(
  { files, trash, checkAgain }: Pick<Desk, 'files' | 'trash' | 'checkAgain'>,
  from: DiskPath,
  path: string,
  conflict: Conflict,
  options: Pick<LocateOptions, 'returns'> = {},
): Promise<Moved> {
  checkAgain()
  using located = files.locate(path, { make: true, ...options })
  const source = lstatSync(from, { bigint: true })
  const done = (name: string, outcome: Moved['outcome'] = 'done'): Moved => ({
    outcome,
    path: joined(splitLast(path).folder, name),
  })
  const putHere = (name: string): boolean => {
    const to = located.folder.at(name)
    if (!source.isDirectory()) return putNew(from, to)
    // Of a race with another program an empty folder is the most that is replaced here.
    if (lstatSync(to, { throwIfNoEntry: false })) return false
    try {
      moveFolder(from, to)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'ENOTDIR') return false
      if (code === 'EINVAL') throw intoItself(path)
      throw error
    }
    return true
  }

  for (let tries = 0; !putHere(located.name); tries++) {
    if (conflict === 'skip') return done(located.name, 'skipped')
    const there = lstatSync(located.at, { bigint: true, throwIfNoEntry: false })
    const same = there?.ino === source.ino && there.dev === source.dev
    if (same && (source.isDirectory() || source.nlink === 1n)) {
      // The same name in other capitals, where the disk does not tell them apart.
      moveFolder(from, located.at)
      return done(located.name)
    }
    if (conflict === 'keep-both') return numberedOne()
    if (conflict === 'refuse' || tries > 2) throw exists(path)
    if (!there) continue
    if (!there.isDirectory() && !source.isDirectory()) {
      // Of two names of one file the system's rename would leave both.
      if (same) unlinkSync(from)
      else {
        trash.keep(located, trash.newCall(), 0)
        renameSync(from, located.at)
      }
      return done(located.name)
    }
    await trash.take(located, trash.newCall(), 0)
  }
  return done(located.name)

  function numberedOne(): Moved {
    for (let number = 2; number < MOST_NUMBERS; number++) {
      const name = numbered(located.name, number)
      if (putHere(name)) return done(name)
    }
    throw exists(path)
  }
}
