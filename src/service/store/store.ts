import { closeSync, openSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { KeptSeenTime } from '../../computer/seen-time.ts'
import { StartProblem } from '../../computer/start-problem.ts'
import { accountsTable, type AccountsTable } from './accounts.ts'
import { migrations } from './migrations.ts'
import { serversTable, type ServersTable } from './servers.ts'

/** What the service remembers over restarts, apart from the servers' own files. */
export interface Store {
  accounts: AccountsTable
  servers: ServersTable
  /** How often this data folder was opened by a service. */
  epoch: number
  /** 32 random bytes that belong to this data folder and never leave it. */
  key: Buffer
  /** How much time was seen passing in this data folder. */
  seenTime: { read(): KeptSeenTime | null; write(now: KeptSeenTime): void }
  close(): void
}

/**
 * Opens the database, brings it up to date and counts the start. Synchronous, as node:sqlite is: the service reads a
 * handful of rows per request. Throws StartProblem for a database of a newer version or one that is broken.
 */
export function openStore(file: string): Store {
  // SQLite takes the mode of this file for its -wal and -shm too.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: 5000 })
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
    migrate(db, file)
    const epoch = countStart(db)
    return {
      accounts: accountsTable(db),
      servers: serversTable(db),
      epoch,
      key: keyOf(db),
      seenTime: seenTimeOf(db),
      close: () => db.close(),
    }
  } catch (error) {
    db.close()
    if (error instanceof StartProblem) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new StartProblem(
      'data-not-readable',
      `The database ${file} cannot be read (${why}). Restore it from a copy, or start with another data folder.`,
      { cause: error },
    )
  }
}

function migrate(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version > migrations.length) {
    throw new StartProblem(
      'data-from-the-future',
      `The database ${file} was written by a newer version of this service (${version}; this one knows up to ` +
        `${migrations.length}). Update the service, or start it with another data folder.`,
    )
  }
  for (const [index, step] of migrations.entries()) {
    if (index < version) continue
    transaction(db, () => {
      db.exec(step)
      db.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
}

function countStart(db: DatabaseSync): number {
  const row = db
    .prepare(
      `INSERT INTO meta (key, value) VALUES ('epoch', '1')
       ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) RETURNING value`,
    )
    .get()
  return Number(row?.['value'])
}

function keyOf(db: DatabaseSync): Buffer {
  db.prepare(`INSERT INTO meta (key, value) VALUES ('key', ?) ON CONFLICT (key) DO NOTHING`).run(
    randomBytes(32).toString('base64url'),
  )
  return Buffer.from(
    String(db.prepare(`SELECT value FROM meta WHERE key = 'key'`).get()?.['value']),
    'base64url',
  )
}

function seenTimeOf(db: DatabaseSync): Store['seenTime'] {
  const read = db.prepare(`SELECT value FROM meta WHERE key = 'seen-time'`)
  const write = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('seen-time', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
  return {
    read() {
      const [seen = NaN, at = NaN] = String(read.get()?.['value']).split(' ').map(Number)
      return Number.isFinite(seen) && Number.isFinite(at) ? { seen, at } : null
    },
    write: ({ seen, at }) => void write.run(`${Math.floor(seen)} ${Math.floor(at)}`),
  }
}

/** Runs `work` in one transaction; what it throws takes everything back. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    db.exec('COMMIT')
    return value
  } catch (error) {
    // SQLite has ended it by itself where the disk is full; a second end would hide that.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
