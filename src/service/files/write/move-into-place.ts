import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { joined, splitLast } from '../../../contract/rules/paths.ts'
import { numbered } from '../../../contract/rules/names.ts'
import { putNew } from './commit-file.ts'
import type { ActionContext } from '../item-actions.ts'
import { exists, intoItself } from '../names/refusals.ts'
import { moveFolder } from '../safe-fs/move-folder.ts'
import type { LocateOptions } from '../server-files.ts'
import type { DiskPath } from '../names/raw-names.ts'

export interface MoveResult {
  outcome: 'done' | 'skipped'
  path: string
}

const MOST_NUMBERS = 10_000

/** Atomic, on the same disk. What it replaces goes to the trash. Throws Refusal 409 `files.exists`. */
export async function moveIntoPlace(
  { files, trash, checkAgain }: Pick<ActionContext, 'files' | 'trash' | 'checkAgain'>,
  from: DiskPath,
  path: string,
  conflict: Conflict,
  options: Pick<LocateOptions, 'returns'> = {},
): Promise<MoveResult> {
  checkAgain()
  using located = files.locate(path, { make: true, ...options })
  const source = lstatSync(from, { bigint: true })
  const done = (name: string, outcome: MoveResult['outcome'] = 'done'): MoveResult => ({
    outcome,
    path: joined(splitLast(path).folder, name),
  })
  const putHere = (name: string): boolean => {
    const to = located.folder.at(name)
    if (!source.isDirectory()) return putNew(from, to)
    // In a race with another program, at most an empty folder is replaced.
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
      // Same name in other case, on a case-insensitive disk.
      moveFolder(from, located.at)
      return done(located.name)
    }
    if (conflict === 'keep-both') return numberedOne()
    if (conflict === 'refuse' || tries > 2) throw exists(path)
    if (!there) continue
    if (!there.isDirectory() && !source.isDirectory()) {
      // rename() does nothing for two links to the same file.
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

  function numberedOne(): MoveResult {
    for (let number = 2; number < MOST_NUMBERS; number++) {
      const name = numbered(located.name, number)
      if (putHere(name)) return done(name)
    }
    throw exists(path)
  }
}
