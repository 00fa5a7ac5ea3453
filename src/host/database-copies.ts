import { chmodSync, copyFileSync, fsyncSync, closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs' // prettier-ignore
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { FULL_DISK, fullDisk, reasonOf } from './disk-errors.ts'
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
import { StartProblem } from './start-problem.ts'

const COPIES = 'copies'
export const copiesOf = (dataDir: string): string => path.join(dataDir, COPIES)
const DAY_MS = 24 * 60 * 60 * 1000

interface CopiesOptions {
  dataDir: string
  name: string
  days: number
  /** Returns a row if the copy contains what it should. */
  holds: string
  release?: string
  now: () => number
}

const TIME = String.raw`(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.(\d{3})Z`

export interface Copy {
  file: string
  at: number
}

/** Verified database copies: the newest of each recent day and of each schema. */
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

  /** True if the last copy is over a day old. A clock set back makes no copy due. */
  get due(): boolean {
    const [newest] = this.list()
    return !newest || Math.abs(this.#options.now() - newest.at) >= DAY_MS
  }

  /** Copies the live database. Rejects if that fails or the copy isn't intact. */
  make(db: DatabaseSync): Promise<void> {
    return (this.#making ??= this.#make(db).finally(() => (this.#making = null)))
  }

  async settled(): Promise<void> {
    await this.#making?.catch(() => undefined)
  }

  /**
   * Prepares a migrated copy beside the database. Throws before touching anything else, for example on a full disk.
   * @param use throws if the copy lacks what it should contain
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
      // Only a single file can be moved atomically.
      db.exec('PRAGMA journal_mode = DELETE')
    } finally {
      if (db.isOpen) db.close()
    }
    sync(fresh.file)
  }

  /** Moves the prepared copy into place after `clear` has moved the current files away. */
  putBack({ file }: AppDatabase, clear: () => void): void {
    clear()
    renameSync(besideOf(file), file)
  }

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

  /** Renames copies from a clock that was ahead; they would stay the newest and be restored over later ones. */
  #backDate(now: number): void {
    const ahead = this.list().filter(({ at }) => at > now)
    for (const [place, { file }] of ahead.entries())
      renameSync(file, path.join(this.#folder, this.#nameOf(now - 1 - place)))
  }

  /** Keeps the newest copy of each recent day and of the last two schemas, so the previous version can be restored. */
  #prune(): void {
    const all = this.list()
    const [days, schemas] = [new Set<string>(), new Set<number>()]
    const ofDays = all.filter(({ at }) => isNew(days, new Date(at).toISOString().slice(0, 10)))
    const ofSchemas = all.filter(({ file }) => {
      const schema = schemaOf(file)
      return schema !== null && isNew(schemas, schema)
    })
    const kept = new Set([...ofDays.slice(0, this.#options.days), ...ofSchemas.slice(0, 2)])
    for (const copy of all) if (!kept.has(copy)) rmSync(copy.file, { recursive: true, force: true })
  }

  #requireWhole(file: string): void {
    if (lookAt(file) !== 'file') throw new DatabaseCorruption('it is not a file')
    const db = new DatabaseSync(file)
    try {
      // Keeps SQLite from leaving files beside the copy.
      db.exec('PRAGMA journal_mode = DELETE')
      const [first] = db.prepare('PRAGMA integrity_check(1)').all()
      if (first?.['integrity_check'] !== 'ok')
        throw new DatabaseCorruption(String(first?.['integrity_check']))
      if (db.prepare(this.#options.holds).get() === undefined) throw new DatabaseCorruption('it is empty')
    } catch (error) {
      throw isDamage(error) ? new DatabaseCorruption(reasonOf(error), { cause: error }) : error
    } finally {
      db.close()
    }
  }

  #nameOf(at: number): string {
    return `${this.#options.name} ${new Date(at).toISOString().replaceAll(':', '-')}.db`
  }
}

const besideOf = (file: string): string => `${file}.new`

/** The copy is unreadable or inconsistent. If it was just made, so is the database. */
class DatabaseCorruption extends Error {
  override name = 'DatabaseCorruption'
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const isNew = <T>(seen: Set<T>, value: T): boolean => !seen.has(value) && Boolean(seen.add(value))

/** Null if the file isn't a readable database. */
function schemaOf(file: string): number | null {
  if (lookAt(file) !== 'file') return null
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    return versionOf(db)
  } catch {
    return null
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Opens and migrates a database, copying it before any migration step. Throws like `openDatabase`. */
export async function openUpToDate(it: AppDatabase, copies: Copies): Promise<DatabaseSync> {
  const db = openDatabase(it)
  try {
    const version = versionOf(db)
    // At version 0 it contains no data of ours.
    if (version > 0 && version < it.migrations.length)
      await copies.make(db).catch((cause: unknown) => notCopied(it, cause))
    migrate(db, it)
    return db
  } catch (error) {
    if (db.isOpen) db.close()
    throw error
  }
}

function notCopied({ name, file }: AppDatabase, cause: unknown): never {
  if (cause instanceof DatabaseCorruption || isDamage(cause))
    throw new UnusableDatabase(file, 'damaged', { cause })
  const full = fullDisk(cause)
  throw new StartProblem(
    'data-not-readable',
    `${name} ${file} has to be copied before this version changes it, and could not be: ` +
      `${full ? FULL_DISK[full] : reasonOf(cause)}. Nothing in it was changed. ${full ? 'Free up space on it' : 'Fix that'}, then start again.`,
    { cause },
  )
}

/**
 * A database of a newer version is never replaced automatically. After a downgrade, this mentions the newest usable
 * copy: the one made before the newer version migrated.
 * @param advice how to use that copy and the effect, as the end of a sentence
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
