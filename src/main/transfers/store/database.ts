import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations.ts'

/** Opens the queue, readable by this user alone, and brings its schema up to date. Throws where a newer panel wrote it. */
export function openDatabase(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file)
  // NORMAL under WAL: a killed panel loses nothing, a power failure the last moments. The services know the rest.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  db.exec('PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON')
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version > migrations.length) {
    db.close()
    throw new Error(
      `The transfers ${file} were written by a newer Wheelhouse (schema ${version}, this one knows ${migrations.length}). ` +
        'Install the newer version again, or start with another --data folder.',
    )
  }
  for (let step = version; step < migrations.length; step++) {
    db.exec(`BEGIN; ${migrations[step]}; PRAGMA user_version = ${step + 1}; COMMIT`)
  }
  return db
}
