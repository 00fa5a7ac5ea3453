import { chmodSync, copyFileSync, fsyncSync, closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs' // prettier-ignore
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { filesOf, isDamage, type KeptDatabase, migrate, openDatabase } from '../../computer/kept-database.ts'
import { lookAt } from '../../computer/kept-file.ts'
import { reasonOf } from '../../computer/reason.ts'
import { isoTime, type Clock } from '../clock.ts'

/** Folder of the copies in the data folder. */
const COPIES = 'copies'
export const copiesOf = (dataDir: string): string => path.join(dataDir, COPIES)
/** Of so many days the newest copy is kept. */
const DAYS = 7
/** All copies together; the newest stays whatever its size. Bytes. */
const MOST_BYTES = 256 * 1024 * 1024
const DAY_MS = 24 * 60 * 60 * 1000

const NAME = /^service (\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.(\d{3})Z\.db$/

export interface Copy {
  file: string
  /** When it was made, ms since 1970. */
  at: number
}

/** Copies of the service's database, checked as they are made: of each of the last days the newest. */
export class Copies {
  readonly #folder: string
  readonly #clock: Clock
  #making: Promise<void> | null = null

  constructor(dataDir: string, clock: Clock) {
    this.#folder = copiesOf(dataDir)
    this.#clock = clock
  }

  /** All copies, the newest first. */
  list(): Copy[] {
    const copies: Copy[] = []
    for (const name of namesIn(this.#folder)) {
      const [, day, ...time] = NAME.exec(name) ?? []
      if (!day) continue
      const at = Date.parse(`${day}T${time.slice(0, 3).join(':')}.${time[3]}Z`)
      copies.push({ file: path.join(this.#folder, name), at })
    }
    return copies.sort((a, b) => b.at - a.at)
  }

  /** Whether none was made for a day. A clock that went back makes none too old. */
  get due(): boolean {
    const [newest] = this.list()
    return !newest || Math.abs(this.#clock.now() - newest.at) >= DAY_MS
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
   * used, it throws before anything else is touched. Nobody is signed in in it: sign-ins that were ended since would be valid
   * again. Line numbers go on far behind those that were given since.
   * @param use throws where it does not hold what it should
   */
  prepare({ file }: Copy, it: KeptDatabase, use: (db: DatabaseSync) => unknown): void {
    const fresh = { ...it, file: besideOf(it.file) }
    this.discard(it)
    requireWhole(file)
    copyFileSync(file, fresh.file)
    chmodSync(fresh.file, 0o600)
    const db = openDatabase(fresh)
    try {
      migrate(db, fresh)
      use(db)
      db.exec(`BEGIN; DELETE FROM tokens; DELETE FROM codes;
        UPDATE meta SET value = CAST(CAST(value AS INTEGER) + ${EPOCHS_BETWEEN} AS TEXT) WHERE key = 'epoch'; COMMIT`)
      // One file, which is moved as one.
      db.exec('PRAGMA journal_mode = DELETE')
    } finally {
      if (db.isOpen) db.close()
    }
    sync(fresh.file)
  }

  /** Puts what was prepared to where the database belongs, once `clear` has moved away what is there. */
  putBack({ file }: KeptDatabase, clear: () => void): void {
    clear()
    renameSync(besideOf(file), file)
  }

  /** Removes what was prepared. */
  discard({ file }: KeptDatabase): void {
    for (const left of filesOf(besideOf(file))) rmSync(left, { recursive: true, force: true })
  }

  async #make(db: DatabaseSync): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of namesIn(this.#folder))
      if (name.includes('.new')) rmSync(path.join(this.#folder, name), { recursive: true, force: true })
    const now = this.#clock.now()
    const name = nameOf(now)
    const fresh = path.join(this.#folder, `${name}.new`)
    closeSync(openSync(fresh, 'wx', 0o600))
    try {
      await backup(db, fresh)
      requireWhole(fresh)
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
      renameSync(file, path.join(this.#folder, nameOf(now - 1 - place)))
  }

  #prune(): void {
    const days = new Set<string>()
    let bytes = 0
    for (const [place, { file, at }] of this.list().entries()) {
      const day = isoTime(at).slice(0, 10)
      bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0
      const keep = place === 0 || (!days.has(day) && days.size < DAYS && bytes <= MOST_BYTES)
      days.add(day)
      if (!keep) rmSync(file, { recursive: true, force: true })
    }
  }
}

const nameOf = (at: number): string => `service ${isoTime(at).replaceAll(':', '-')}.db`

/** More than a service can start between two copies: lines of then and now never get the same number. */
const EPOCHS_BETWEEN = 100_000

const besideOf = (file: string): string => `${file}.new`

/** A copy cannot be read, or contradicts itself. One that was just made shows that the database does. */
export class NotWhole extends Error {
  override name = 'NotWhole'
}

/** Throws NotWhole; and what kept it from being looked at, such as a full disk. */
function requireWhole(file: string): void {
  if (lookAt(file) !== 'file') throw new NotWhole('it is not a file')
  const db = new DatabaseSync(file)
  try {
    // A copy is one file: SQLite is to leave nothing beside it.
    db.exec('PRAGMA journal_mode = DELETE')
    const [first] = db.prepare('PRAGMA integrity_check(1)').all()
    if (first?.['integrity_check'] !== 'ok') throw new NotWhole(String(first?.['integrity_check']))
    if (db.prepare('SELECT 1 FROM meta').get() === undefined) throw new NotWhole('it is empty')
  } catch (error) {
    throw isDamage(error) ? new NotWhole(reasonOf(error), { cause: error }) : error
  } finally {
    db.close()
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
