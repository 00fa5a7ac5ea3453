import { existsSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Copies, openUpToDate, tellingOfOlderCopy } from '../../host/database-copies.ts'
import {
  closeDatabase,
  filesOf,
  type AppDatabase,
  stillThere,
  UnusableDatabase,
} from '../../host/app-database.ts'
import { setAside } from '../../host/set-aside.ts'
import { StartProblem } from '../../host/start-problem.ts'

/** A database of the panel, ready to be used. */
export interface Opened {
  db: DatabaseSync
  /** There was no file, so one was made. */
  made: boolean
}

/** Its name among the settings: where the file before it lies, until a person knows that this is a new one. */
const ANEW = 'begun-anew'

/** Of so many days on which a newer version changed a database the copy of before is kept. */
const DAYS = 3

/** What a panel's database is, beside what every database of ours is. */
export interface PanelDatabase extends AppDatabase {
  /** What comes of using an older copy, as a part of a sentence. */
  older: string
}

/**
 * Opens a database that is no only copy of what matters: where it cannot be used it is set aside, with what belongs to
 * it, and begun anew; its table `settings` says so. One that this version changes is copied first. Rejects with StartProblem where the file is not to blame, such as one of a newer panel.
 * @param takeOver copies what can still be read from the old file; it may throw at any row
 * @param beside paths that mean nothing without the old file
 */
export async function openOrBeginAnew(
  it: PanelDatabase,
  takeOver: (db: DatabaseSync, from: DatabaseSync) => void = () => {},
  beside: readonly string[] = [],
): Promise<Opened> {
  const { file } = it
  const made = !existsSync(file)
  const copies = new Copies({
    ...{ dataDir: path.dirname(file), name: path.basename(file, '.db'), days: DAYS, now: Date.now },
    holds: "SELECT 1 FROM sqlite_schema WHERE name = 'settings'",
  })
  try {
    return { db: await openUpToDate(it, copies), made }
  } catch (error) {
    if (error instanceof StartProblem && error.code === 'data-from-the-future')
      throw tellingOfOlderCopy(error, it, copies, (copy) => goBack(it, copy.file))
    if (!(error instanceof UnusableDatabase)) throw error
    const aside = setAside(path.dirname(file), path.basename(file), [...filesOf(file), ...beside])
    const db = await openUpToDate({ ...it, atFirst: (fresh) => markAnew(fresh, aside) }, copies)
    try {
      const from = new DatabaseSync(path.join(aside, path.basename(file)))
      try {
        takeOver(db, from)
      } finally {
        from.close()
      }
    } catch {
      // Nothing more of it can be read.
    }
    return { db, made: false }
  }
}

const markAnew = (db: DatabaseSync, aside: string) =>
  db.prepare('INSERT INTO settings (name, value) VALUES (?, ?)').run(ANEW, aside)

const goBack = ({ file, older }: PanelDatabase, copy: string) =>
  `Move ${file} elsewhere, put ${copy} in its place under that name, and start again; ${older}.`

/** Copies the rows of some tables that can still be read: from the front, and where that breaks off from the back too. */
export function copyRows(db: DatabaseSync, from: DatabaseSync, tables: readonly string[]): void {
  for (const table of tables)
    for (const order of ['', 'ORDER BY rowid DESC'])
      try {
        const columns = sharedColumns(db, from, table)
        const put = db.prepare(
          `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        )
        const rows = from.prepare(`SELECT ${columns.join(', ')} FROM ${table} ${order}`)
        for (const row of rows.iterate()) put.run(...Object.values(row))
        break
      } catch {
        // From the other end, or the next table.
      }
}

function sharedColumns(db: DatabaseSync, from: DatabaseSync, table: string): string[] {
  const names = (one: DatabaseSync) =>
    one
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .all(table)
      .map(({ name }) => String(name))
  const theirs = new Set(names(from))
  return names(db).filter((name) => theirs.has(name))
}

/** What every database of the panel can say of its file, beside its tables. */
export function fileMethods({ db, made }: Opened, file: string) {
  return {
    /** Whether there was no file when it was opened. */
    wasMade: () => made,
    /** Where the one before it lies, if it was begun anew and nobody knows of it yet. */
    begunAnew(): string | null {
      const row = db.prepare('SELECT value FROM settings WHERE name = ?').get(ANEW)
      return row === undefined ? null : String(row['value'])
    },
    /** A person knows that it was begun anew. */
    toldBegunAnew: () => void db.prepare('DELETE FROM settings WHERE name = ?').run(ANEW),
    /** Whether its file is still there, and the one that was opened. */
    stillThere: () => stillThere(db, file),
    closeFile: () => closeDatabase(db, file),
  }
}
