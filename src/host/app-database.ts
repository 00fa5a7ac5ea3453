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
import { FULL_DISK, fullDisk, reasonOf } from './disk-errors.ts'
import { lookAt } from './data-file.ts'
import { setAside } from './set-aside.ts'
import { StartProblem } from './start-problem.ts'

export interface AppDatabase {
  file: string
  /** Capitalized display name, such as `The cache`. */
  name: string
  /** Schema steps, append-only: a released step never changes. */
  migrations: readonly string[]
  pragmas?: string
  busyMs: number
  atFirst?: (db: DatabaseSync) => void
}

/** `inconsistent`: lacks tables or columns. `empty`: no bytes or none of our tables; our programs never leave that. */
type DatabaseFault = 'missing' | 'empty' | 'damaged' | 'inconsistent' | 'unreadable' | 'not-a-file'

export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'
  readonly fault: DatabaseFault

  constructor(file: string, fault: DatabaseFault, options?: ErrorOptions) {
    const why = fault === 'inconsistent' && options?.cause ? ` (${reasonOf(options.cause)})` : ''
    super(`${file} ${FAULTS[fault]}${why}.`, options)
    this.fault = fault
  }
}

const FAULTS: Record<DatabaseFault, string> = {
  missing: 'is missing',
  empty: 'is empty',
  damaged: 'is damaged',
  inconsistent: 'contradicts itself',
  unreadable: 'cannot be read by this user',
  'not-a-file': 'is not a file',
}

/** A database with its side files, in the order to move them: a log must never end up beside another file. */
export const filesOf = (file: string): string[] => [`${file}-shm`, `${file}-wal`, file]

/**
 * Opens a database readable by this user only, checks it and migrates it. Creates a missing one atomically. Throws
 * UnusableDatabase, or StartProblem (`data-from-the-future`, `data-not-readable`) if the file itself is not to blame
 * and must be left alone.
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

/** Runs missing schema steps, each in a transaction. Throws if the result lacks what the steps create. */
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

/** UnusableDatabase if the file is to blame, else StartProblem `data-not-readable`, for example on a full disk. */
export function whyNotUsable(it: AppDatabase, error: unknown): UnusableDatabase | StartProblem {
  if (error instanceof UnusableDatabase || error instanceof StartProblem) return error
  if (isDamage(error)) return new UnusableDatabase(it.file, 'damaged', { cause: error })
  if (CONTRADICTIONS.includes(primaryCode(error)))
    return new UnusableDatabase(it.file, 'inconsistent', { cause: error })
  return notUsable(it, error)
}

/** Closes a database. If its file was deleted meanwhile, writes it back first to avoid losing data. */
export function closeDatabase(db: DatabaseSync, file: string): void {
  if (!db.isOpen) return
  try {
    if (lookAt(file) === 'nothing') {
      for (const beside of [`${file}-wal`, `${file}-shm`]) rmSync(beside, { force: true })
      db.prepare('VACUUM INTO ?').run(file)
      chmodSync(file, 0o600)
    }
  } finally {
    db.close()
  }
}

export const isDamage = (error: unknown): boolean =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(error))

/** True if SQLite can no longer read the file: damaged, gone, or on a failing disk. A full disk is not included. */
export const isFault = (error: unknown): boolean =>
  isDamage(error) || READING_FAILS.includes((error as { errcode?: number } | null)?.errcode ?? 0)

export const isBusy = (error: unknown): boolean => [SQLITE_BUSY, SQLITE_LOCKED].includes(primaryCode(error))

/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS, SQLITE_READONLY_DBMOVED. */
const READING_FAILS = [266, 522, 8458, 1032]

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** SQLITE_ERROR (no such table or column), SQLITE_CONSTRAINT, SQLITE_MISMATCH: readable, but not our schema. */
const CONTRADICTIONS = [1, 19, 20]

/** The lowest byte of SQLite's code is the kind. */
const primaryCode = (error: unknown): number => ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff

function prepare(db: DatabaseSync, { pragmas = '' }: AppDatabase): void {
  // NORMAL with WAL: a killed program loses nothing, a power failure the last moments.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
  db.exec(pragmas)
}

function make(it: AppDatabase): void {
  const fresh = { ...it, file: `${it.file}.new` }
  for (const left of filesOf(fresh.file)) rmSync(left, { recursive: true, force: true })
  try {
    // SQLite gives -wal and -shm the mode of this file. Nobody opens it before the rename, so one sync is enough.
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

export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    db.exec('COMMIT')
    return value
  } catch (error) {
    // On a full disk SQLite has already rolled back; a second rollback would hide the error.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Removes whatever would keep SQLite from opening the file. Never blocks on a FIFO. */
function clearTheWay(file: string): void {
  for (const beside of [`${file}-wal`, `${file}-shm`])
    // Something other than a file here means the log is gone already, so moving it loses nothing.
    if (lookAt(beside) === 'something else') setAside(path.dirname(file), path.basename(file), [beside])
  for (const one of filesOf(file))
    try {
      chmodSync(one, 0o600)
    } catch {
      // Missing, or another user's; opening it will tell.
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

/** Indexes included; 64 MiB take about 70 ms. */
function check(db: DatabaseSync, file: string): void {
  const [first] = db.prepare('PRAGMA integrity_check(1)').all()
  const fault = String(first?.['integrity_check'])
  if (fault !== 'ok') throw new UnusableDatabase(file, 'damaged', { cause: new Error(fault) })
  // SQLite reads what is cut off the last page as zeros and finds no fault. The log may still hold that page.
  const size = (one: string): number => statSync(one, { throwIfNoEntry: false })?.size ?? 0
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  if (size(`${file}-wal`) === 0 && size(file) % pageSize !== 0)
    throw new UnusableDatabase(file, 'damaged', { cause: new Error('its last page is cut off') })
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
