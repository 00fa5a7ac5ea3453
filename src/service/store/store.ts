import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  closeDatabase,
  migrate,
  transaction,
  UnusableDatabase,
  versionOf,
} from '../../computer/kept-database.ts'
import type { KeptSeenTime } from '../../computer/seen-time.ts'
import { StartProblem } from '../../computer/start-problem.ts'
import type { Clock } from '../clock.ts'
import { accountsTable, type AccountsTable } from './accounts.ts'
import { codesTable, type CodesTable } from './codes.ts'
import { Copies } from './copies.ts'
import { keepCopies, type KeepingCopies } from './keep-copies.ts'
import { notReadable, openOrRestore, type Restored, schema } from './opening.ts'
import { serversTable, type ServersTable } from './servers.ts'

/** What the service remembers over restarts, apart from the servers' own files. */
export interface Store {
  accounts: AccountsTable
  codes: CodesTable
  servers: ServersTable
  /** How often this data folder was opened by a service. */
  epoch: number
  /** 32 random bytes that belong to this data folder and never leave it. */
  key: Buffer
  /** How much time was seen passing in this data folder. */
  seenTime: { read(): KeptSeenTime | null; write(now: KeptSeenTime): void }
  /** Runs `work`, which awaits nothing, in one step: all that it writes is there, or none of it. */
  inOneStep<T>(work: () => T): T
  /** The copy that was put back at this start. */
  restored: Restored | null
  /** Copies what was changed, then closes. */
  close(): Promise<void>
}

export interface StoreOptions extends KeepingCopies {
  clock: Clock
  /** Puts the newest copy back where the database cannot be read. */
  restore?: boolean
  /** The steps of its schema; those of this version unless a test says otherwise. */
  steps?: readonly string[]
}

/**
 * Opens the database, brings it up to date and counts the start. Reading is synchronous, as node:sqlite is: the service
 * reads a handful of rows per request. It is the only record of accounts and servers, so it is never begun anew where
 * there was one: throws StartProblem, `data-restorable` where `restore` would help.
 */
export async function openStore(file: string, options: StoreOptions): Promise<Store> {
  const copies = new Copies(path.dirname(file), options.clock)
  const kept = schema(file, options.steps)
  const { db, restored } = openOrRestore(kept, copies, options.restore ?? false)
  try {
    const version = versionOf(db)
    if (version < kept.migrations.length) {
      // Without a single step it holds nothing of ours.
      if (version > 0) await copies.make(db)
      migrate(db, kept)
    }
    const epoch = countStart(db)
    const key = keyOf(db)
    const keeping = keepCopies(db, file, copies, options)
    if (epoch > 1) keeping.begin()
    return {
      accounts: accountsTable(db),
      codes: codesTable(db),
      servers: serversTable(db),
      epoch,
      key,
      seenTime: seenTimeOf(db),
      inOneStep: (work) => transaction(db, work),
      restored,
      async close() {
        await keeping.end()
        closeDatabase(db, file)
      },
    }
  } catch (error) {
    if (db.isOpen) db.close()
    if (error instanceof StartProblem) throw error
    if (error instanceof UnusableDatabase) throw notReadable(error, file, copies.newestWhole())
    throw cannotBeRead(file, error)
  }
}

const cannotBeRead = (file: string, cause: unknown) =>
  new StartProblem(
    'data-not-readable',
    `The database ${file} cannot be used (${cause instanceof Error ? cause.message : String(cause)}). Nothing was ` +
      'replaced. Put a backup in its place, or start with another data folder.',
    { cause },
  )

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
