import type { DatabaseSync } from 'node:sqlite'
import type { TargetPlace } from '../../contract/areas/backup-targets.ts'
import type { RefusalReport } from '../../host/refusal.ts'

/** Times in ms since 1970. */
export interface BackupTargetRow {
  id: string
  name: string
  place: TargetPlace
  createdAt: number
  reachedAt: number | null
  /** When room was last freed there. */
  prunedAt: number
  error: RefusalReport | null
}

export interface BackupCopyRow {
  serverId: string
  targetId: string
  backupId: string
  /** `unwanted`: there, and to be removed. */
  state: 'there' | 'failed' | 'unwanted'
  error: RefusalReport | null
}

const parsed = <T>(text: unknown): T | null => (typeof text === 'string' ? (JSON.parse(text) as T) : null)
const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

const targetOf = (raw: Record<string, unknown>): BackupTargetRow =>
  ({ ...raw, place: parsed(raw['place']), error: parsed(raw['error']) }) as unknown as BackupTargetRow

const copyOf = (raw: Record<string, unknown>): BackupCopyRow =>
  ({ ...raw, error: parsed(raw['error']) }) as unknown as BackupCopyRow

export type BackupTargetsTable = ReturnType<typeof backupTargetsTable>

/** Ids of deleted servers and targets are ignored. */
export function backupTargetsTable(db: DatabaseSync) {
  const columns = `id, name, place, created_at AS createdAt, reached_at AS reachedAt, pruned_at AS prunedAt, error`
  const all = db.prepare(`SELECT ${columns} FROM backup_targets ORDER BY created_at, id`)
  const byId = db.prepare(`SELECT ${columns} FROM backup_targets WHERE id = ?`)
  const put = db.prepare(
    `INSERT INTO backup_targets (id, name, place, created_at, reached_at, pruned_at, error)
     VALUES (:id, :name, :place, :createdAt, :reachedAt, :prunedAt, :error)
     ON CONFLICT DO UPDATE SET name = excluded.name, reached_at = excluded.reached_at,
       pruned_at = excluded.pruned_at, error = excluded.error`,
  )
  const unchoose = db.prepare(
    `UPDATE backup_settings SET targets =
       (SELECT json_group_array(value) FROM json_each(targets) WHERE value <> ?)`,
  )
  const remove = db.prepare('DELETE FROM backup_targets WHERE id = ?')
  const copies = db.prepare(
    `SELECT server_id AS serverId, target_id AS targetId, backup_id AS backupId, state, error
     FROM backup_copies WHERE server_id = ?`,
  )
  const putCopy = db.prepare(
    `INSERT INTO backup_copies (server_id, target_id, backup_id, state, error)
     SELECT s.id, t.id, :backupId, :state, :error FROM servers s, backup_targets t
     WHERE s.id = :serverId AND t.id = :targetId
     ON CONFLICT DO UPDATE SET state = excluded.state, error = excluded.error`,
  )
  const removeCopy = db.prepare(
    'DELETE FROM backup_copies WHERE server_id = :serverId AND target_id = :targetId AND backup_id = :backupId',
  )
  const unwanted = db.prepare(
    `UPDATE backup_copies SET state = 'unwanted', error = NULL
     WHERE server_id = ? AND backup_id = ? AND state = 'there'`,
  )
  const failed = db.prepare(
    `DELETE FROM backup_copies WHERE server_id = ? AND backup_id = ? AND state = 'failed'`,
  )
  return {
    all: () => all.all().map(targetOf),
    byId(id: string): BackupTargetRow | null {
      const raw = byId.get(id)
      return raw ? targetOf(raw) : null
    },
    put: ({ place, error, ...row }: BackupTargetRow) =>
      void put.run({ ...row, place: JSON.stringify(place), error: jsonOf(error) }),
    /** No server's copies go there any more. */
    remove(id: string): void {
      unchoose.run(id)
      remove.run(id)
    },
    copiesOf: (serverId: string) => copies.all(serverId).map(copyOf),
    putCopy: ({ error, ...row }: BackupCopyRow) => void putCopy.run({ ...row, error: jsonOf(error) }),
    removeCopy: ({ serverId, targetId, backupId }: Omit<BackupCopyRow, 'state' | 'error'>) =>
      void removeCopy.run({ serverId, targetId, backupId }),
    /** The backup is deleted here. */
    unwant(serverId: string, backupId: string): void {
      unwanted.run(serverId, backupId)
      failed.run(serverId, backupId)
    },
  }
}
