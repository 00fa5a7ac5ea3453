import { rmSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  copiesOf,
  type Copies,
  type Copy,
  openUpToDate,
  tellingOfOlderCopy,
} from '../../host/database-copies.ts'
import { FULL_DISK, fullDisk, reasonOf } from '../../host/disk-errors.ts'
import { filesOf, type AppDatabase, UnusableDatabase, whyNotUsable } from '../../host/app-database.ts'
import { lookAt } from '../../host/data-file.ts'
import { setAside } from '../../host/set-aside.ts'
import { StartProblem } from '../../host/start-problem.ts'
import { isoTime } from '../base/clock.ts'
import { serverFoldersIn } from '../files/server-folders.ts'
import { migrations } from './migrations.ts'

/** `at`: when the copy was made, ms since 1970. The replaced file is kept. */
export interface Restoration {
  at: number
  aside: string
}

export const schema = (file: string, steps = migrations): AppDatabase => ({
  file,
  name: 'The database',
  migrations: steps,
  busyMs: 5000,
})

/**
 * Opens the database and migrates it, or restores the newest usable copy if needed and requested.
 * @param use reads what is needed, and throws if the database lacks it; its result is returned
 */
export async function openOrRestore<T>(
  it: AppDatabase,
  copies: Copies,
  restore: boolean,
  use: (db: DatabaseSync) => T,
): Promise<{ db: DatabaseSync; used: T; restored: Restoration | null }> {
  const { file } = it
  try {
    refuseSilentLoss(file, copies)
    return { ...(await broughtUp(it, copies, use)), restored: null }
  } catch (error) {
    if (error instanceof StartProblem && error.code === 'data-from-the-future')
      throw tellingOfOlderCopy(error, it, copies, () => goBack(file), use)
    if (!(error instanceof UnusableDatabase)) throw error
    // Missing file permissions are not damage: restoring a copy would lose data.
    if (error.fault === 'unreadable') throw notReadable(error, file, NO_COPY)
    const found = usableCopy(error, it, copies, use)
    if (!restore || !found.copy) {
      copies.discard(it)
      throw notReadable(error, file, found)
    }
    let aside = ''
    try {
      copies.putBack(it, () => (aside = setAside(path.dirname(file), path.basename(file), filesOf(file))))
    } catch (cause) {
      throw cause instanceof StartProblem ? cause : notRestored(found.copy, cause)
    }
    return { ...(await broughtUp(it, copies, use)), restored: { at: found.copy.at, aside } }
  }
}

async function broughtUp<T>(it: AppDatabase, copies: Copies, use: (db: DatabaseSync) => T) {
  let db: DatabaseSync | null = null
  try {
    db = await openUpToDate(it, copies)
    return { db, used: use(db) }
  } catch (error) {
    if (db?.isOpen) db.close()
    throw whyNotUsable(it, error)
  }
}

/** The newest usable copy, ready for use; how many there are, and why the newest is unusable. */
interface CopySearch {
  copy: Copy | null
  count: number
  why: string
}
const NO_COPY: CopySearch = { copy: null, count: 0, why: '' }

function usableCopy(
  damage: UnusableDatabase,
  it: AppDatabase,
  copies: Copies,
  use: (db: DatabaseSync) => unknown,
): CopySearch {
  const all = copies.list()
  let why = ''
  for (const copy of all) {
    try {
      copies.prepare(copy, it, use)
      return { copy, count: all.length, why }
    } catch (cause) {
      const full = fullDisk(cause)
      if (full) {
        copies.discard(it)
        throw new StartProblem(
          'data-not-readable',
          `${damage.message} ${holding(it.file)}Its copies could not be looked at: ${FULL_DISK[full]}. Free up space on it, then ` +
            'start again.',
          { cause },
        )
      }
      why ||= reasonOf(cause)
    }
  }
  return { copy: null, count: all.length, why }
}

const goBack = (file: string) =>
  `Move ${file} elsewhere and start with --restore-backup; changes made since then will be missing, and everybody has to ` +
  'sign in again.'

const notRestored = ({ file }: Copy, cause: unknown) =>
  new StartProblem(
    'data-not-readable',
    `The copy ${file} could not be restored: ${reasonOf(cause)}. It is still there. Fix that, then start again with ` +
      '--restore-backup.',
    { cause },
  )

/** Treats a missing or empty database as new only if nothing hints at an old one. */
function refuseSilentLoss(file: string, copies: Copies): void {
  const found = lookAt(file)
  if (found !== 'nothing' && found !== 'empty file') return
  if (serverFoldersIn(path.dirname(file)).length > 0 || copies.list().length > 0)
    throw new UnusableDatabase(file, found === 'nothing' ? 'missing' : 'empty')
  // Left by an interrupted first start; empty.
  rmSync(file, { force: true })
}

function holding(file: string): string {
  const folders = serverFoldersIn(path.dirname(file)).length
  const servers =
    folders === 0
      ? 'The servers’ files'
      : folders === 1
        ? 'The files of 1 server'
        : `The files of ${folders} servers`
  return (
    'It contains the accounts and the list of servers. ' +
    `${servers} in ${path.join(path.dirname(file), 'servers')} were not touched. `
  )
}

/** The error message: what is lost, what is not affected, and what to do. */
function notReadable(error: UnusableDatabase, file: string, { copy, count, why }: CopySearch): StartProblem {
  const safe = `${error.message} ${holding(file)}`
  if (error.fault === 'unreadable')
    return new StartProblem(
      'data-not-readable',
      `${safe}Change its owner or permissions, then start again.`,
      { cause: error },
    )
  if (copy) {
    const when = isoTime(copy.at).slice(0, 16).replace('T', ' ')
    const newest = why ? 'The newest copy that can be used' : 'The newest copy'
    return new StartProblem(
      'data-restorable',
      `${safe}${newest} is from ${when} UTC. Start once more with --restore-backup to use it: the current file is ` +
        'kept, changes made since then will be missing, and everybody has to sign in again.',
      { cause: error, values: { file, when: `${when} UTC` } },
    )
  }
  const none =
    count === 0
      ? 'There is no copy of it yet.'
      : count === 1
        ? `The only copy, in ${copiesOf(path.dirname(file))}, cannot be used either: ${why}.`
        : `None of the ${count} copies in ${copiesOf(path.dirname(file))} can be used either; of the newest: ${why}.`
  return new StartProblem(
    'data-not-readable',
    `${safe}${none} Put a backup of your own in its place; or move it and the folder servers elsewhere, start again, ` +
      'create the servers again, and put their files back.',
    { cause: error },
  )
}
