import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { closeDatabase, transaction } from '../../host/app-database.ts'
import type { StoredUptime } from '../../host/uptime-clock.ts'
import type { Clock } from '../base/clock.ts'
import { accountsTable, type AccountsTable } from './accounts.ts'
import { activityTable, type ActivityTable } from './activity.ts'
import { type BackupTargetsTable, backupTargetsTable } from './backup-targets.ts'
import { backupsTable, type BackupsTable } from './backups.ts'
import { codesTable, type CodesTable } from './codes.ts'
import { keepCopies, serviceCopies } from './service-copies.ts'
import { identitiesTable, type IdentitiesTable } from './identities.ts'
import { openOrRestore, type Restoration, schema } from './opening.ts'
import { notificationsTable, type NotificationsTable } from './notifications.ts'
import { playersTable, type PlayersTable } from './players.ts'
import { promocodesTable, type PromocodesTable } from './promocodes.ts'
import { type SchedulesTable, schedulesTable } from './schedules.ts'
import { type SecondFactorsTable, secondFactorsTable } from './second-factors.ts'
import { serversTable, type ServersTable } from './servers.ts'
import { RowChanges } from './told-rows.ts'
import { sharingTable, type SharingTable } from './sharing.ts'
import { type StatsTable, statsTable } from './stats.ts'

export interface Store {
  accounts: AccountsTable
  codes: CodesTable
  secondFactors: SecondFactorsTable
  identities: IdentitiesTable
  servers: ServersTable
  players: PlayersTable
  stats: StatsTable
  backups: BackupsTable
  backupTargets: BackupTargetsTable
  sharing: SharingTable
  activity: ActivityTable
  notifications: NotificationsTable
  promocodes: PromocodesTable
  schedules: SchedulesTable
  rows: Pick<RowChanges, 'on'>
  epoch: number
  /** 32 random bytes of this data folder; they never leave it. */
  key: Buffer
  /** Observed uptime over the life of this data folder. */
  seenTime: { read(): StoredUptime | null; write(now: StoredUptime): void }
  /** Runs the synchronous `work` in a transaction. */
  inOneStep<T>(work: () => T): T
  /** Set if a copy was restored at this start. */
  restored: Restoration | null
  close(): Promise<void>
}

export interface StoreOptions {
  clock: Clock
  onCopyFailed?: (error: unknown) => void
  restore?: boolean
  steps?: readonly string[]
}

/** SQLite busy timeout in ms; the service blocks meanwhile. Our promocode tool locks the database only briefly. */
const BUSY_MS = 500

/**
 * Never replaces an existing database with a new one: throws StartProblem, `data-restorable` if `restore` would help.
 * Synchronous, since node:sqlite is; requests read only a few rows.
 */
export async function openStore(file: string, options: StoreOptions): Promise<Store> {
  const copies = serviceCopies(path.dirname(file), options.clock)
  const kept = schema(file, options.steps)
  const { db, used, restored } = await openOrRestore(kept, copies, options.restore ?? false, (db) => ({
    accounts: accountsTable(db),
    codes: codesTable(db),
    secondFactors: secondFactorsTable(db),
    identities: identitiesTable(db),
    servers: serversTable(db),
    players: playersTable(db),
    stats: statsTable(db),
    backups: backupsTable(db),
    backupTargets: backupTargetsTable(db),
    sharing: sharingTable(db),
    activity: activityTable(db),
    notifications: notificationsTable(db),
    promocodes: promocodesTable(db),
    schedules: schedulesTable(db),
    seenTime: seenTimeOf(db),
    epoch: countStart(db),
    key: keyOf(db),
  }))
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  const rows = new RowChanges(db)
  const keeping = keepCopies(db, copies, used.epoch === 1, options.onCopyFailed)
  return {
    ...used,
    inOneStep: (work) => transaction(db, work),
    rows,
    restored,
    async close() {
      await keeping.end()
      closeDatabase(db, file)
    },
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
    write({ seen, at }) {
      write.run(`${Math.floor(seen)} ${Math.floor(at)}`)
    },
  }
}
