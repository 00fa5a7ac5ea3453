import type { DatabaseSync } from 'node:sqlite'

/** A difference from the contract. Names and kinds, never values. */
export interface DriftRow {
  operation: string
  field: string
  expected: string
  found: string
  foundAs: string | null
  count: number
  /** Milliseconds since 1970. */
  since: number
}

/** Rows per connection; the first ones stay. */
export const DRIFTS_MOST = 200

export function driftTable(db: DatabaseSync, most = DRIFTS_MOST) {
  const add = db.prepare(
    `INSERT INTO drifts (connection_id, operation, field, expected, found, found_as, count, since)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
     WHERE (SELECT count(*) FROM drifts WHERE connection_id = ?1) < ?9 OR EXISTS (
       SELECT 1 FROM drifts
       WHERE connection_id = ?1 AND operation = ?2 AND field = ?3 AND expected = ?4 AND found = ?5 AND found_as = ?6)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  return {
    addDrifts(connectionId: string, rows: readonly DriftRow[]) {
      for (const { operation, field, expected, found, foundAs, count, since } of rows)
        add.run(connectionId, operation, field, expected, found, foundAs ?? '', count, since, most)
    },
    drifts: (connectionId: string) =>
      db
        .prepare(
          `SELECT operation, field, expected, found, nullif(found_as, '') AS foundAs, count, since FROM drifts
           WHERE connection_id = ? ORDER BY operation, field, found, found_as`,
        )
        .all(connectionId) as unknown as DriftRow[],
    forgetDrifts: (connectionId: string) =>
      void db.prepare('DELETE FROM drifts WHERE connection_id = ?').run(connectionId),
  }
}
