import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { KeepRule } from '../../contract/areas/backups.ts'
import type { RefusalReport } from '../../host/refusal.ts'
import type { InstallationRecord } from '../software/installed.ts'

export type BackupEngine = 'archive' | 'restic'
export type BackupCause = 'manual' | 'schedule' | 'before-change'
export type RiskyChange = 'software' | 'modpack' | 'reset' | 'extensions' | 'restore'

export interface TrialRecord {
  at: string
  result: 'sound' | 'started' | 'damaged' | 'not-started'
  seconds?: number
  cutOff?: boolean
  error?: RefusalReport
}

/** What it was made from, to be brought back with it. */
export interface BackedUpSoftware {
  id: string
  version: string
  installed: InstallationRecord | null
  pack: string | null
}

/** Times in ms since 1970. */
export interface BackupRow {
  id: string
  serverId: string
  /** `copy`: from before a change, in the folder of copies and not in the database. */
  engine: BackupEngine | 'copy'
  name: string | null
  cause: BackupCause
  change: RiskyChange | null
  state: 'waiting' | 'running' | 'done' | 'failed'
  createdAt: number
  bytes: number | null
  addedBytes: number | null
  files: number | null
  locked: boolean
  unpaused: boolean
  tried: TrialRecord | null
  missing: { name: string; reason: 'changed' | 'unreadable' }[]
  missingCount: number
  software: BackedUpSoftware | null
  error: RefusalReport | null
}

export interface StoredBackupSettings {
  engine: BackupEngine
  keep: KeepRule | null
  exclude: string[]
  /** Ids of targets that copies go to. */
  targets: string[]
}

const COLUMNS = `id, server_id AS serverId, engine, name, cause, change, state, created_at AS createdAt, bytes,
  added_bytes AS addedBytes, files, locked, unpaused, tried, missing, missing_count AS missingCount, software, error`

const JSON_COLUMNS = ['tried', 'missing', 'software', 'error'] as const

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

function rowOf(raw: Record<string, unknown>): BackupRow {
  return {
    ...raw,
    ...Object.fromEntries(JSON_COLUMNS.map((name) => [name, parsed(raw[name])])),
    locked: raw['locked'] === 1,
    unpaused: raw['unpaused'] === 1,
  } as unknown as BackupRow
}

function storedOf(row: BackupRow): Record<string, SQLInputValue> {
  const texts = JSON_COLUMNS.map((name) => [name, row[name] === null ? null : JSON.stringify(row[name])])
  return {
    ...row,
    ...Object.fromEntries(texts),
    locked: Number(row.locked),
    unpaused: Number(row.unpaused),
  } as Record<string, SQLInputValue>
}

/** Times in ms. `rules`: which ones should make backups, as a text. */
export interface OverdueRow {
  serverId: string
  rules: string
  since: number
  told: number | null
}

export type BackupsTable = ReturnType<typeof backupsTable>

/** Ids of deleted servers are ignored. */
export function backupsTable(db: DatabaseSync) {
  const of = db.prepare(`SELECT ${COLUMNS} FROM backups WHERE server_id = ? ORDER BY created_at DESC, id`)
  const byId = db.prepare(`SELECT ${COLUMNS} FROM backups WHERE server_id = ? AND id = ?`)
  const unfinished = db.prepare(`SELECT ${COLUMNS} FROM backups WHERE state IN ('waiting', 'running')`)
  const put = db.prepare(
    `INSERT INTO backups (id, server_id, engine, name, cause, change, state, created_at, bytes, added_bytes, files,
       locked, unpaused, tried, missing, missing_count, software, error)
     SELECT :id, id, :engine, :name, :cause, :change, :state, :createdAt, :bytes, :addedBytes, :files,
       :locked, :unpaused, :tried, :missing, :missingCount, :software, :error FROM servers WHERE id = :serverId
     ON CONFLICT DO UPDATE SET name = excluded.name, state = excluded.state, created_at = excluded.created_at,
       bytes = excluded.bytes, added_bytes = excluded.added_bytes, files = excluded.files, locked = excluded.locked,
       unpaused = excluded.unpaused, tried = excluded.tried, missing = excluded.missing,
       missing_count = excluded.missing_count, software = excluded.software, error = excluded.error`,
  )
  const remove = db.prepare('DELETE FROM backups WHERE server_id = ? AND id = ?')
  const settings = db.prepare(
    'SELECT engine, keep, exclude, targets FROM backup_settings WHERE server_id = ?',
  )
  const set = db.prepare(
    `INSERT INTO backup_settings (server_id, engine, keep, exclude, targets)
     SELECT id, :engine, :keep, :exclude, :targets FROM servers WHERE id = :serverId
     ON CONFLICT DO UPDATE SET engine = excluded.engine, keep = excluded.keep, exclude = excluded.exclude,
       targets = excluded.targets`,
  )
  const ofRestic = db.prepare(
    `SELECT EXISTS (SELECT 1 FROM backups WHERE engine = 'restic')
       OR EXISTS (SELECT 1 FROM backup_settings WHERE engine = 'restic') AS isUsed`,
  )
  const newest = db.prepare(
    `SELECT max(created_at) AS at FROM backups WHERE server_id = ? AND state = 'done'`,
  )
  const watched = db.prepare('SELECT server_id AS serverId, rules, since, told FROM overdue_backups')
  const watch = db.prepare(
    `INSERT INTO overdue_backups (server_id, rules, since, told)
     SELECT id, :rules, :since, :told FROM servers WHERE id = :serverId
     ON CONFLICT DO UPDATE SET rules = excluded.rules, since = excluded.since, told = excluded.told`,
  )
  const unwatch = db.prepare('DELETE FROM overdue_backups WHERE server_id = ?')
  return {
    /** Newest first. */
    of: (serverId: string) => of.all(serverId).map(rowOf),
    byId(serverId: string, id: string): BackupRow | null {
      const raw = byId.get(serverId, id)
      return raw ? rowOf(raw) : null
    },
    /** When the newest good one was made. */
    newestAt: (serverId: string) => (newest.get(serverId)?.['at'] ?? null) as number | null,
    watched: () => watched.all() as unknown as OverdueRow[],
    watch: (row: OverdueRow) => void watch.run({ ...row }),
    unwatch: (serverId: string) => void unwatch.run(serverId),
    /** Some are kept by restic, or are to be. */
    usesRestic: () => ofRestic.get()?.['isUsed'] === 1,
    unfinished: () => unfinished.all().map(rowOf),
    put: (row: BackupRow) => void put.run(storedOf(row)),
    remove: (serverId: string, id: string) => void remove.run(serverId, id),
    settings(serverId: string): StoredBackupSettings {
      const raw = settings.get(serverId)
      if (!raw) return { engine: 'archive', keep: null, exclude: [], targets: [] }
      return {
        engine: raw['engine'] as BackupEngine,
        keep: raw['keep'] === null ? null : (JSON.parse(String(raw['keep'])) as KeepRule),
        exclude: JSON.parse(String(raw['exclude'])) as string[],
        targets: JSON.parse(String(raw['targets'])) as string[],
      }
    },
    set(serverId: string, { engine, keep, exclude, targets }: StoredBackupSettings): void {
      const lists = { exclude: JSON.stringify(exclude), targets: JSON.stringify(targets) }
      set.run({ serverId, engine, keep: keep && JSON.stringify(keep), ...lists })
    },
  }
}
