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

export interface Opened {
  db: DatabaseSync
  made: boolean
}

/** Setting with the old file's path, until the user knows about the reset. */
const ANEW = 'begun-anew'

/** Copies from before an upgrade are kept for this many days that had one. */
const DAYS = 3

export interface PanelDatabase extends AppDatabase {
  older: string
}

/**
 * Opens a database that can be rebuilt: an unusable file is set aside with its companions and replaced, noted in the
 * table `settings`. Copies it before upgrades. Rejects with StartProblem if the file is not at fault, such as one of a
 * newer panel.
 * @param takeOver copies readable rows from the old file; may throw at any row
 * @param beside paths that are meaningless without the old file
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
      // The rest is unreadable.
    }
    return { db, made: false }
  }
}

const markAnew = (db: DatabaseSync, aside: string) =>
  db.prepare('INSERT INTO settings (name, value) VALUES (?, ?)').run(ANEW, aside)

const goBack = ({ file, older }: PanelDatabase, copy: string) =>
  `Move ${file} elsewhere, put ${copy} in its place under that name, and start again; ${older}.`

/** Copies readable rows, from the front and, after an error, from the back. */
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
        // Continue from the other end, or with the next table.
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

export function fileMethods({ db, made }: Opened, file: string) {
  return {
    wasMade: () => made,
    begunAnew(): string | null {
      const row = db.prepare('SELECT value FROM settings WHERE name = ?').get(ANEW)
      return row === undefined ? null : String(row['value'])
    },
    toldBegunAnew: () => void db.prepare('DELETE FROM settings WHERE name = ?').run(ANEW),
    stillThere: () => stillThere(db, file),
    closeFile: () => closeDatabase(db, file),
  }
}
