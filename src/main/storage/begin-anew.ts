import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  type AppDatabase,
  closeDatabase,
  filesOf,
  migrate,
  openDatabase,
  UnusableDatabase,
} from '../../host/app-database.ts'
import { setAside } from '../../host/set-aside.ts'

/** Setting with the old file's path, until the user knows about the reset. */
const ANEW = 'begun-anew'

/**
 * Opens a database that can be rebuilt: an unusable file is set aside with its companions and replaced, noted in the
 * table `settings`. Throws StartProblem if the file is not at fault, such as one of a newer panel.
 * @param beside paths that are meaningless without the old file
 */
export function openOrBeginAnew(it: AppDatabase, beside: readonly string[] = []): DatabaseSync {
  try {
    return openMigrated(it)
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error
    const { dir, base } = path.parse(it.file)
    const aside = setAside(dir, base, [...filesOf(it.file), ...beside])
    return openMigrated({ ...it, atFirst: (fresh) => markAnew(fresh, aside) })
  }
}

function openMigrated(it: AppDatabase): DatabaseSync {
  const db = openDatabase(it)
  migrate(db, it)
  return db
}

const markAnew = (db: DatabaseSync, aside: string) =>
  db.prepare('INSERT INTO settings (name, value) VALUES (?, ?)').run(ANEW, aside)

export function fileMethods(db: DatabaseSync, file: string) {
  return {
    begunAnew(): string | null {
      const row = db.prepare('SELECT value FROM settings WHERE name = ?').get(ANEW)
      return row === undefined ? null : String(row['value'])
    },
    toldBegunAnew: () => void db.prepare('DELETE FROM settings WHERE name = ?').run(ANEW),
    closeFile: () => closeDatabase(db, file),
  }
}
