import { rmSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { filesOf, type KeptDatabase, openDatabase, UnusableDatabase } from '../../computer/kept-database.ts'
import { lookAt } from '../../computer/kept-file.ts'
import { reasonOf } from '../../computer/reason.ts'
import { setAside } from '../../computer/set-aside.ts'
import { StartProblem } from '../../computer/start-problem.ts'
import { isoTime } from '../clock.ts'
import { serverFoldersIn } from '../server-folders.ts'
import type { Copies, Copy } from './copies.ts'
import { migrations } from './migrations.ts'

/** A copy that was put back: when it was made, ms since 1970, and where the file before it lies. */
export interface Restored {
  at: number
  aside: string
}

/** @param steps its schema; that of this version unless a test says otherwise */
export const schema = (file: string, steps = migrations): KeptDatabase => ({
  file,
  name: 'The database',
  migrations: steps,
  busyMs: 5000,
})

/** Opens the database, or the newest copy of it where that is asked for and needed. */
export function openOrRestore(
  it: KeptDatabase,
  copies: Copies,
  restore: boolean,
): { db: DatabaseSync; restored: Restored | null } {
  const { file } = it
  try {
    refuseSilentLoss(file, copies)
    return { db: openDatabase(it), restored: null }
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error
    const copy = copies.newestWhole()
    // What this user may not read is not damaged: going back to a copy would lose what is in it.
    if (!restore || !copy || error.fault === 'unreadable') throw notReadable(error, file, copy)
    const dataDir = path.dirname(file)
    let aside = ''
    try {
      copies.restore(copy, file, () => (aside = setAside(dataDir, path.basename(file), filesOf(file))))
    } catch (cause) {
      throw cause instanceof StartProblem ? cause : notRestored(copy, cause)
    }
    return { db: openDatabase(it), restored: { at: copy.at, aside } }
  }
}

const notRestored = ({ file }: Copy, cause: unknown) =>
  new StartProblem(
    'data-not-readable',
    `The copy ${file} could not be restored: ${reasonOf(cause)}. It is still there. Fix that, then start again with ` +
      '--restore-backup.',
    { cause },
  )

/** A database that is gone or empty is a new one only where nothing tells of an old one. */
function refuseSilentLoss(file: string, copies: Copies): void {
  const found = lookAt(file)
  if (found !== 'nothing' && found !== 'empty file') return
  if (serverFoldersIn(path.dirname(file)).length > 0 || copies.list().length > 0)
    throw new UnusableDatabase(file, found === 'nothing' ? 'missing' : 'empty')
  // A first start that was cut off leaves such a file; it holds nothing.
  rmSync(file, { force: true })
}

/** What is said of a database that cannot be used: what it holds, what is not affected, and what to do. */
export function notReadable(error: UnusableDatabase, file: string, copy: Copy | null): StartProblem {
  const folders = serverFoldersIn(path.dirname(file)).length
  const servers =
    folders === 0
      ? 'The servers’ files'
      : folders === 1
        ? 'The files of 1 server'
        : `The files of ${folders} servers`
  const safe =
    `${error.message} It contains the accounts and the list of servers. ` +
    `${servers} in ${path.join(path.dirname(file), 'servers')} were not touched. `
  if (error.fault === 'unreadable')
    return new StartProblem(
      'data-not-readable',
      `${safe}Change its owner or permissions, then start again.`,
      { cause: error },
    )
  if (copy) {
    const when = isoTime(copy.at).slice(0, 16).replace('T', ' ')
    return new StartProblem(
      'data-restorable',
      `${safe}The newest copy is from ${when} UTC. Start once more with --restore-backup to use it: the current file is ` +
        'kept, changes made since then will be missing, and everybody has to sign in again.',
      { cause: error, values: { file, when: `${when} UTC` } },
    )
  }
  return new StartProblem(
    'data-not-readable',
    `${safe}There is no copy of it yet. Put a backup of your own in its place; or move it and the folder servers ` +
      'elsewhere, start again, create the servers again, and put their files back.',
    { cause: error },
  )
}
