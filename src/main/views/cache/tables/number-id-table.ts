import type { DatabaseSync } from 'node:sqlite'
import { type NumericId, IDS_MOST } from '../../../api/numeric-ids.ts'

/** Ids sent as numbers, so that ids from cached views are sent back correctly. */
export function numberIdTable(db: DatabaseSync, most = IDS_MOST) {
  const all = db.prepare('SELECT resource, id FROM number_ids WHERE connection_id = ? ORDER BY seq')
  // A whole list in one statement is one write to the disk.
  const add = db.prepare(
    `INSERT INTO number_ids (connection_id, resource, id)
     SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`,
  )
  const remove = db.prepare(
    `DELETE FROM number_ids WHERE connection_id = ?1
       AND (resource, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))`,
  )
  const bound = db.prepare(
    `DELETE FROM number_ids WHERE seq IN (
       SELECT seq FROM (
         SELECT seq, row_number() OVER (PARTITION BY resource ORDER BY seq DESC) AS place
         FROM number_ids WHERE connection_id = ?1
       ) WHERE place > ?2)`,
  )
  return {
    numberIds: (connectionId: string): NumericId[] =>
      (all.all(connectionId) as unknown as { resource: string; id: string }[]).map(
        ({ resource, id }) => [resource, id] as const,
      ),
    changeNumberIds(connectionId: string, added: readonly NumericId[], gone: readonly NumericId[]): void {
      if (gone.length > 0) remove.run(connectionId, JSON.stringify(gone))
      if (added.length === 0) return
      add.run(connectionId, JSON.stringify(added))
      bound.run(connectionId, most)
    },
  }
}
