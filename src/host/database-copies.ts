import { chmodSync, copyFileSync, fsyncSync, closeSync, lstatSync, mkdirSync, openSync, readSync, readdirSync, renameSync, rmSync } from 'node:fs' // prettier-ignore
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { FULL_DISK, fullDisk } from './full-disk.ts'
import {
  filesOf,
  isDamage,
  type AppDatabase,
  migrate,
  openDatabase,
  UnusableDatabase,
  versionOf,
} from './app-database.ts'
import { lookAt } from './data-file.ts'
import { reasonOf } from './reason.ts'
import { StartProblem } from './start-problem.ts'

/** Folder of the copies, beside the databases. */
const COPIES = 'copies'
export const copiesOf = (dataDir: string): string => path.join(dataDir, COPIES)
/** All copies of one database together; the newest, and the newest of the schema before, stay whatever their size. Bytes. */
const MOST_BYTES = 256 * 1024 * 1024
const DAY_MS = 24 * 60 * 60 * 1000

/** What tells the copies of one database from those of another, and what is done to one before it is used. */
export interface CopiesOptions {
  /** Folder of the database. */
  dataDir: string
  /** What its copies are called: letters alone. */
  name: string
  /** Of so many days the newest copy is kept. */
  days: number
  /** A statement that answers a row where a copy holds what it should. */
  holds: string
  /** Statements for a copy that is made ready to be used. */
  release?: string
  /** Milliseconds since 1970. */
  now: () => number
}

const TIME = String.raw`(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.(\d{3})Z`

export interface Copy {
  file: string
  /** When it was made, ms since 1970. */
  at: number
}

/** Copies of a database, checked as they are made: of each of the last days and of each schema the newest. */
export class Copies {
  readonly #folder: string
  readonly #options: CopiesOptions
  readonly #name: RegExp
  #making: Promise<void> | null = null

  constructor(options: CopiesOptions) {
    this.#options = options
    this.#folder = copiesOf(options.dataDir)
    this.#name = new RegExp(`^${options.name} ${TIME}\\.db$`)
  }

  /** All copies, the newest first. */
  list(): Copy[] {
    const copies: Copy[] = []
    for (const name of namesIn(this.#folder)) {
      const [, day, ...time] = this.#name.exec(name) ?? []
      if (!day) continue
      const at = Date.parse(`${day}T${time.slice(0, 3).join(':')}.${time[3]}Z`)
      copies.push({ file: path.join(this.#folder, name), at })
    }
    return copies.sort((a, b) => b.at - a.at)
  }

  /** Whether none was made for a day. A clock that went back makes none too old. */
  get due(): boolean {
    const [newest] = this.list()
    return !newest || Math.abs(this.#options.now() - newest.at) >= DAY_MS
  }

  /** Copies the database as it is now, beside whatever uses it. Rejects where that could not be, or the copy is not whole. */
  make(db: DatabaseSync): Promise<void> {
    return (this.#making ??= this.#make(db).finally(() => (this.#making = null)))
  }

  /** Resolves when none is being made. */
  async settled(): Promise<void> {
    await this.#making?.catch(() => undefined)
  }

  /**
   * Makes a copy ready beside where the database belongs, brought up to date: on a full disk, or where the copy cannot be
   * used, it throws before anything else is touched.
   * @param use throws where it does not hold what it should
   */
  prepare({ file }: Copy, it: AppDatabase, use: (db: DatabaseSync) => unknown): void {
    const fresh = { ...it, file: besideOf(it.file) }
    this.discard(it)
    this.#requireWhole(file)
    copyFileSync(file, fresh.file)
    chmodSync(fresh.file, 0o600)
    const db = openDatabase(fresh)
    try {
      migrate(db, fresh)
      use(db)
      if (this.#options.release) db.exec(`BEGIN; ${this.#options.release}; COMMIT`)
      // One file, which is moved as one.
      db.exec('PRAGMA journal_mode = DELETE')
    } finally {
      if (db.isOpen) db.close()
    }
    sync(fresh.file)
  }

  /** Puts what was prepared to where the database belongs, once `clear` has moved away what is there. */
  putBack({ file }: AppDatabase, clear: () => void): void {
    clear()
    renameSync(besideOf(file), file)
  }

  /** Removes what was prepared. */
  discard({ file }: AppDatabase): void {
    for (const left of filesOf(besideOf(file))) rmSync(left, { recursive: true, force: true })
  }

  async #make(db: DatabaseSync): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of namesIn(this.#folder))
      if (name.startsWith(`${this.#options.name} `) && name.includes('.new'))
        rmSync(path.join(this.#folder, name), { recursive: true, force: true })
    const now = this.#options.now()
    const name = this.#nameOf(now)
    const fresh = path.join(this.#folder, `${name}.new`)
    closeSync(openSync(fresh, 'wx', 0o600))
    try {
      await backup(db, fresh)
      this.#requireWhole(fresh)
      sync(fresh)
      this.#backDate(now)
      renameSync(fresh, path.join(this.#folder, name))
    } catch (error) {
      for (const left of filesOf(fresh)) rmSync(left, { force: true })
      throw error
    }
    this.#prune()
  }

  /**
   * Names anew what was copied while the clock was ahead. By its name it would stay the newest for as long: it would be put
   * back in place of later ones, and another copy would be due at every look.
   */
  #backDate(now: number): void {
    const ahead = this.list().filter(({ at }) => at > now)
    for (const [place, { file }] of ahead.entries())
      renameSync(file, path.join(this.#folder, this.#nameOf(now - 1 - place)))
  }

  /**
   * Removes copies that are not needed. Kept are the newest of all and the newest of the schema before its own, which leads
   * back to the version before this one; and, as long as all together are not too large, the newest of each older schema and
   * of each of the last days.
   */
  #prune(): void {
    const all = this.list().map((copy) => ({ ...copy, ...aboutCopy(copy.file) }))
    const [days, schemas] = [new Set<string>(), new Set<number>()]
    const ofSchemas = all.filter(({ schema }) => schema !== null && isNew(schemas, schema))
    const ofDays = all
      .filter(({ at }) => isNew(days, new Date(at).toISOString().slice(0, 10)))
      .slice(0, this.#options.days)
    const kept = new Set([...all.slice(0, 1), ...ofSchemas.slice(0, 2)])
    let bytes = [...kept].reduce((sum, { size }) => sum + size, 0)
    for (const copy of [...ofDays, ...ofSchemas]) {
      if (kept.has(copy) || bytes + copy.size > MOST_BYTES) continue
      kept.add(copy)
      bytes += copy.size
    }
    for (const copy of all) if (!kept.has(copy)) rmSync(copy.file, { recursive: true, force: true })
  }

  /** Throws NotWhole; and what kept it from being looked at, such as a full disk. */
  #requireWhole(file: string): void {
    if (lookAt(file) !== 'file') throw new NotWhole('it is not a file')
    const db = new DatabaseSync(file)
    try {
      // A copy is one file: SQLite is to leave nothing beside it.
      db.exec('PRAGMA journal_mode = DELETE')
      const [first] = db.prepare('PRAGMA integrity_check(1)').all()
      if (first?.['integrity_check'] !== 'ok') throw new NotWhole(String(first?.['integrity_check']))
      if (db.prepare(this.#options.holds).get() === undefined) throw new NotWhole('it is empty')
    } catch (error) {
      throw isDamage(error) ? new NotWhole(reasonOf(error), { cause: error }) : error
    } finally {
      db.close()
    }
  }

  #nameOf(at: number): string {
    return `${this.#options.name} ${new Date(at).toISOString().replaceAll(':', '-')}.db`
  }
}

const besideOf = (file: string): string => `${file}.new`

/** A copy cannot be read, or contradicts itself. One that was just made shows that the database does. */
export class NotWhole extends Error {
  override name = 'NotWhole'
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Whether a set did not have a value, which it has now. */
const isNew = <T>(seen: Set<T>, value: T): boolean => !seen.has(value) && Boolean(seen.add(value))

/** SQLite keeps `user_version` at this place of a file, four bytes, the highest first. */
const SCHEMA_AT = 60

/** Bytes of a copy and the number of its schema; null where it is no database that can be read. */
function aboutCopy(file: string): { size: number; schema: number | null } {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const none = { size: stat?.size ?? 0, schema: null }
  // What stands in the place of a copy is not waited for.
  if (!stat?.isFile() || stat.size < SCHEMA_AT + 4) return none
  try {
    const handle = openSync(file, 'r')
    try {
      const head = Buffer.alloc(SCHEMA_AT + 4)
      const isWhole = readSync(handle, head, 0, head.length, 0) === head.length
      const isDatabase = isWhole && head.toString('latin1', 0, 15) === 'SQLite format 3'
      return isDatabase ? { ...none, schema: head.readUInt32BE(SCHEMA_AT) } : none
    } finally {
      closeSync(handle)
    }
  } catch {
    return none
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Opens a database and brings it up to date. One that a step is to change is copied first. Throws as `openDatabase`. */
export async function openUpToDate(it: AppDatabase, copies: Copies): Promise<DatabaseSync> {
  const db = openDatabase(it)
  try {
    const version = versionOf(db)
    // Without a single step it holds nothing of ours.
    if (version > 0 && version < it.migrations.length)
      await copies.make(db).catch((cause: unknown) => notCopied(it, cause))
    migrate(db, it)
    return db
  } catch (error) {
    if (db.isOpen) db.close()
    throw error
  }
}

/** Why a database could not be copied before it is changed. */
function notCopied({ name, file }: AppDatabase, cause: unknown): never {
  if (cause instanceof NotWhole || isDamage(cause)) throw new UnusableDatabase(file, 'damaged', { cause })
  const full = fullDisk(cause)
  throw new StartProblem(
    'data-not-readable',
    `${name} ${file} has to be copied before this version changes it, and could not be: ` +
      `${full ? FULL_DISK[full] : reasonOf(cause)}. Nothing in it was changed. ${full ? 'Free up space on it' : 'Fix that'}, then start again.`,
    { cause },
  )
}

/**
 * One of a newer version is never replaced by itself. Who has gone back to this version is told of the newest copy that it can
 * use: the one made before the newer version changed the database.
 * @param advice what to do with that copy, and what comes of it, as the end of a sentence
 */
export function tellingOfOlderCopy(
  error: StartProblem,
  it: AppDatabase,
  copies: Copies,
  advice: (copy: Copy) => string,
  use: (db: DatabaseSync) => unknown = () => undefined,
): StartProblem {
  const copy = copies.list().find((one) => {
    try {
      copies.prepare(one, it, use)
      return true
    } catch {
      return false
    }
  })
  copies.discard(it)
  if (!copy) return error
  const when = new Date(copy.at).toISOString().slice(0, 16).replace('T', ' ')
  return new StartProblem(
    error.code,
    `${error.message} Or go back: there is a copy from ${when} UTC that this version can use. ${advice(copy)}`,
    { cause: error },
  )
}
