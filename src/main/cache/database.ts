import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations.ts'

/** Thrown where the file was written by a newer panel: it is left alone. */
export class FutureDatabase extends Error {
  constructor(file: string, version: number) {
    super(
      `The cache ${file} was written by a newer Wheelhouse (schema ${version}, this one knows ${migrations.length}). ` +
        'Install the newer version again, or start with another --data folder.',
    )
  }
}

/** Opens the cache, readable by this user alone, and brings its schema up to date. */
export function openDatabase(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file)
  // NORMAL under WAL can lose the last moments when the power fails, never the file: it is a cache.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  // What signing out wipes has to be gone from the file, not only from its index.
  db.exec('PRAGMA secure_delete = ON')
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version > migrations.length) {
    db.close()
    throw new FutureDatabase(file, version)
  }
  for (let step = version; step < migrations.length; step++) {
    db.exec(`BEGIN; ${migrations[step]}; PRAGMA user_version = ${step + 1}; COMMIT`)
  }
  return db
}
