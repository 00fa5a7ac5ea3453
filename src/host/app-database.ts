import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lackIn } from './database-schema.ts'
import { FULL_DISK, fullDisk } from './full-disk.ts'
import { lookAt } from './data-file.ts'
import { reasonOf } from './reason.ts'
import { setAside } from './set-aside.ts'
import { StartProblem } from './start-problem.ts'

/** A database of ours: where it lies, and what it is made of. */
export interface AppDatabase {
  file: string
  /** How people call it, with a capital: `The cache`. */
  name: string
  /** Its schema, step by step. Steps are only ever added at the end: one that was released is never changed. */
  migrations: readonly string[]
  /** Statements for every connection, beside those that all of ours share. */
  pragmas?: string
  /** Another program's lock is waited for so long, in ms. */
  busyMs: number
  /** Writes what one that is made holds from the beginning. */
  atFirst?: (db: DatabaseSync) => void
}

/**
 * Why a database cannot be used. `damaged` covers what is no database or is cut off; `inconsistent` what can be read and
 * does not hold what it should, such as a table that is missing; `empty` a file without a byte or without our tables, which
 * no program of ours leaves behind.
 */
export type DatabaseFault = 'missing' | 'empty' | 'damaged' | 'inconsistent' | 'unreadable' | 'not-a-file'

/** A database cannot be used as it is. What becomes of it is for who opens it to decide. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'
  readonly fault: DatabaseFault

  constructor(file: string, fault: DatabaseFault, options?: ErrorOptions) {
    const why = fault === 'inconsistent' && options?.cause ? ` (${reasonOf(options.cause)})` : ''
    super(`${file} ${FAULTS[fault]}${why}.`, options)
    this.fault = fault
  }
}

/** What is wrong, as the end of a sentence that begins with the file. */
const FAULTS: Record<DatabaseFault, string> = {
  missing: 'is missing',
  empty: 'is empty',
  damaged: 'is damaged',
  inconsistent: 'contradicts itself',
  unreadable: 'cannot be read by this user',
  'not-a-file': 'is not a file',
}

/** A larger one is checked whole only after a fault was met in it: 64 MiB take some 60 ms. Bytes. */
const CHECKED_MOST = 64 * 1024 * 1024

/** A database and what SQLite keeps beside it; in this order they are moved, so that no log is left to another file. */
export const filesOf = (file: string): string[] => [`${file}-shm`, `${file}-wal`, file]
/** Says that a fault was met in a large database while it was in use. */
const suspicionOf = (file: string): string => `${file}-suspect`

/**
 * Opens a database, readable by this user alone, checked, and with its schema as it was left: see {@link migrate}. One
 * that is not there is made, in one step, so that a crash leaves either none or a whole one. Throws UnusableDatabase; and
 * StartProblem where the file itself is not to blame (`data-from-the-future`, `data-not-readable`): then nothing may be
 * done to it.
 */
export function openDatabase(it: AppDatabase): DatabaseSync {
  const { file } = it
  const found = lookAt(file)
  if (found === 'nothing') {
    if (existsSync(`${file}-wal`)) throw new UnusableDatabase(file, 'missing')
    make(it)
  }
  if (found === 'empty file') throw new UnusableDatabase(file, 'empty')
  if (found === 'something else') throw new UnusableDatabase(file, 'not-a-file')
  clearTheWay(file)
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: it.busyMs })
    prepare(db, it)
    const version = versionOf(db)
    if (version > it.migrations.length) throw fromTheFuture(it, version)
    if (version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined)
      throw new UnusableDatabase(file, 'empty')
    check(db, file)
    return db
  } catch (error) {
    if (db?.isOpen) db.close()
    throw whyNotUsable(it, error)
  }
}

export const versionOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.['user_version'])

/** Brings a database up to date. A step that fails is taken back whole. Throws where it then lacks what its steps make. */
export function migrate(db: DatabaseSync, it: AppDatabase): void {
  try {
    steps(db, it.migrations)
    const lack = lackIn(db, it.migrations)
    if (lack)
      throw new UnusableDatabase(it.file, 'inconsistent', { cause: new Error(`it lacks the ${lack}`) })
  } catch (error) {
    db.close()
    throw whyNotUsable(it, error)
  }
}

/**
 * What keeps a database from being used, by what was thrown while it was opened: UnusableDatabase where it is its file,
 * StartProblem `data-not-readable` where it is not, such as a full disk.
 */
export function whyNotUsable(it: AppDatabase, error: unknown): UnusableDatabase | StartProblem {
  if (error instanceof UnusableDatabase || error instanceof StartProblem) return error
  if (isDamage(error)) return new UnusableDatabase(it.file, 'damaged', { cause: error })
  if (CONTRADICTIONS.includes(primaryCode(error)))
    return new UnusableDatabase(it.file, 'inconsistent', { cause: error })
  return notUsable(it, error)
}

/** Whether the file is still the one that was opened: another program may have removed or replaced it. */
export function stillThere(db: DatabaseSync, file: string): boolean {
  const opened = identities.get(db)
  try {
    return opened === undefined || opened === identityOf(file)
  } catch {
    // Neither is known of a file that cannot be looked at, as on a disk that fails.
    return true
  }
}

/** Closes a database. One whose file was removed meanwhile is written again first: nobody meant to lose what it holds. */
export function closeDatabase(db: DatabaseSync, file: string): void {
  if (!db.isOpen) return
  try {
    if (identities.has(db) && lookAt(file) === 'nothing') {
      for (const beside of [`${file}-wal`, `${file}-shm`]) rmSync(beside, { force: true })
      db.prepare('VACUUM INTO ?').run(file)
      chmodSync(file, 0o600)
    }
  } finally {
    db.close()
  }
}

/** Notes that a fault was met, so that the next start checks the whole of it, however large it is. */
export function suspect(file: string): void {
  try {
    closeSync(openSync(suspicionOf(file), 'w', 0o600))
  } catch {
    // It is checked at the next start unless it is large; then the fault is met again.
  }
}

/** Whether SQLite says that a file is damaged or no database. */
export const isDamage = (error: unknown): boolean =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(error))

/**
 * Whether SQLite says that it cannot read its file any more, be it damaged, gone, or on a disk that fails. A full disk, which
 * has several codes for writing, is none of these.
 */
export const isFault = (error: unknown): boolean =>
  isDamage(error) || READING_FAILS.includes((error as { errcode?: number } | null)?.errcode ?? 0)

/** Whether SQLite says that another program holds a database. */
export const isBusy = (error: unknown): boolean => [SQLITE_BUSY, SQLITE_LOCKED].includes(primaryCode(error))

/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS, SQLITE_READONLY_DBMOVED. */
const READING_FAILS = [266, 522, 8458, 1032]

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** SQLITE_ERROR (no such table, no such column), SQLITE_CONSTRAINT, SQLITE_MISMATCH: the file can be read, and is not what our steps made. */
const CONTRADICTIONS = [1, 19, 20]

/** The lowest byte of SQLite's code says the kind. */
const primaryCode = (error: unknown): number => ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff

/** Which file a database was opened as. */
const identities = new WeakMap<DatabaseSync, string>()

function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.dev} ${stat.ino}` : ''
}

function prepare(db: DatabaseSync, { file, pragmas = '' }: AppDatabase): void {
  // NORMAL under WAL: a killed program loses nothing, a power failure the last moments.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
  db.exec(pragmas)
  identities.set(db, identityOf(file))
}

function make(it: AppDatabase): void {
  const fresh = { ...it, file: `${it.file}.new` }
  for (const left of filesOf(fresh.file)) rmSync(left, { recursive: true, force: true })
  try {
    // SQLite takes the mode of this file for its -wal and -shm too. Nobody else opens it before it has its name: what step
    // after step would write is written once, and the disk is waited for once, at the end.
    const handle = openSync(fresh.file, 'wx', 0o600)
    try {
      const db = new DatabaseSync(fresh.file)
      try {
        db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON')
        db.exec(it.pragmas ?? '')
        transaction(db, () => it.migrations.forEach((_, step) => take(db, it.migrations, step)))
        it.atFirst?.(db)
        db.exec('PRAGMA journal_mode = WAL')
      } finally {
        db.close()
      }
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(fresh.file, it.file)
  } catch (error) {
    throw notUsable(it, error)
  }
}

function steps(db: DatabaseSync, migrations: readonly string[]): void {
  for (let step = versionOf(db); step < migrations.length; step++)
    transaction(db, () => take(db, migrations, step))
}

const take = (db: DatabaseSync, migrations: readonly string[], step: number): void =>
  db.exec(`${migrations[step]}; PRAGMA user_version = ${step + 1}`)

/** Runs `work` in one transaction; what it throws takes everything back. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    db.exec('COMMIT')
    return value
  } catch (error) {
    // SQLite has ended it by itself where the disk is full; a second end would hide that.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Makes sure that SQLite can open the file, and never waits for what lies beside it. */
function clearTheWay(file: string): void {
  for (const beside of [`${file}-wal`, `${file}-shm`])
    // Where another thing stands in the place of a log there is no log any more: nothing is lost by moving it.
    if (lookAt(beside) === 'something else') setAside(path.dirname(file), path.basename(file), [beside])
  for (const one of filesOf(file))
    try {
      chmodSync(one, 0o600)
    } catch {
      // It is not there, or belongs to another user: whether it can be opened is seen below.
    }
  for (const one of filesOf(file))
    try {
      closeSync(openSync(one, constants.O_RDWR))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' && one !== file) continue
      if (code === 'EACCES' || code === 'EPERM')
        throw new UnusableDatabase(one, 'unreadable', { cause: error })
      throw error
    }
}

/** One that a fault was met in is looked at whole, with its indexes. Where only those are wrong they are made anew, which loses nothing. */
function check(db: DatabaseSync, file: string): void {
  const suspicion = suspicionOf(file)
  const suspected = existsSync(suspicion)
  if (!suspected && statSync(file).size > CHECKED_MOST) return
  let fault = faultBy(db, 'quick_check')
  if (!fault && suspected && faultBy(db, 'integrity_check')) {
    db.exec('REINDEX')
    fault = faultBy(db, 'integrity_check')
  }
  if (fault) throw new UnusableDatabase(file, 'damaged', { cause: new Error(fault) })
  rmSync(suspicion, { recursive: true, force: true })
}

/** The first thing that is wrong; null where nothing is. */
function faultBy(db: DatabaseSync, pragma: 'quick_check' | 'integrity_check'): string | null {
  const [first] = db.prepare(`PRAGMA ${pragma}(1)`).all()
  return first?.[pragma] === 'ok' ? null : String(first?.[pragma])
}

const fromTheFuture = ({ name, file, migrations }: AppDatabase, version: number) =>
  new StartProblem(
    'data-from-the-future',
    `${name} ${file} was written by a newer version of Wheelhouse (schema ${version}, this one knows ` +
      `${migrations.length}). Nothing was changed. Install the newer version again, or start with another --data folder.`,
  )

function notUsable({ name, file }: AppDatabase, error: unknown): StartProblem {
  const full = fullDisk(error)
  const why = full ? FULL_DISK[full] : primaryCode(error) === SQLITE_BUSY ? LOCKED : reasonOf(error)
  const now = full ? 'Free up space on it' : 'Fix that'
  return new StartProblem(
    'data-not-readable',
    `${name} ${file} cannot be used: ${why}. Nothing in it was changed. ${now}, then start again.`,
    { cause: error },
  )
}

const LOCKED = 'another program has locked it'
