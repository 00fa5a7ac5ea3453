import { chmodSync, copyFileSync, fsyncSync, closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs' // prettier-ignore
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { filesOf } from '../../computer/kept-database.ts'
import { isoTime, type Clock } from '../clock.ts'

/** Folder of the copies in the data folder. */
const COPIES = 'copies'
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
    this.#folder = path.join(dataDir, COPIES)
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

  /** The newest copy that is whole; null where there is none. */
  newestWhole(): Copy | null {
    return this.list().find(({ file }) => isWhole(file)) ?? null
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
   * Puts a copy to where the database belongs. What is there is cleared away by `clear` once the copy lies ready beside it:
   * on a full disk nothing is moved. Nobody is signed in afterwards: sign-ins that
   * were ended since would be valid again. Line numbers go on far behind those that were given since.
   */
  restore({ file }: Copy, to: string, clear: () => void): void {
    const fresh = `${to}.new`
    for (const left of filesOf(fresh)) rmSync(left, { recursive: true, force: true })
    copyFileSync(file, fresh)
    chmodSync(fresh, 0o600)
    const db = new DatabaseSync(fresh)
    try {
      db.exec(`BEGIN; DELETE FROM tokens; DELETE FROM codes;
        UPDATE meta SET value = CAST(CAST(value AS INTEGER) + ${EPOCHS_BETWEEN} AS TEXT) WHERE key = 'epoch'; COMMIT`)
    } finally {
      db.close()
    }
    for (const left of [`${fresh}-wal`, `${fresh}-shm`]) rmSync(left, { force: true })
    sync(fresh)
    clear()
    renameSync(fresh, to)
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
      if (!isWhole(fresh)) throw new Error('The copy of the database is not whole: the database is damaged.')
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

/** Whether a copy can be read and nothing in it contradicts itself. */
function isWhole(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false
    const db = new DatabaseSync(file)
    try {
      // A copy is one file: SQLite is to leave nothing beside it.
      db.exec('PRAGMA journal_mode = DELETE')
      const [first] = db.prepare('PRAGMA integrity_check(1)').all()
      return (
        first?.['integrity_check'] === 'ok' &&
        Number(db.prepare('SELECT count(*) AS n FROM meta').get()?.['n']) > 0
      )
    } finally {
      db.close()
    }
  } catch {
    return false
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
