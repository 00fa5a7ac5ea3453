import type { DatabaseSync } from 'node:sqlite'

/** `at` in ms since 1970, `size` in bytes. */
export interface FormerRow {
  id: string
  path: string
  size: number
  at: number
  because: 'saved' | 'deleted'
}

/** Contents per file, total bytes, and age in ms. */
export interface FormerBounds {
  perFile: number
  bytes: number
  forMs: number
}

const columns = 'id, path, size, at, because'

/** Returns the ids of removed rows, so that their files can be deleted. */
export function formerTable(db: DatabaseSync) {
  const add = db.prepare(
    `INSERT INTO former_contents (id, connection_id, server_id, path, size, at, because, seen_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const unstamped = db.prepare(
    'UPDATE former_contents SET seen_at = ?1 WHERE seen_at IS NULL OR seen_at > ?1',
  )
  const ids = (rows: unknown[]) => (rows as { id: string }[]).map(({ id }) => id)

  return {
    /** `seen`: accumulated running time in ms, by which it ages. */
    addFormer: (connectionId: string, serverId: string, row: FormerRow, seen: number) =>
      void add.run(row.id, connectionId, serverId, row.path, row.size, row.at, row.because, seen),

    formers: (connectionId: string, serverId: string, path: string | null) =>
      db
        .prepare(
          `SELECT ${columns} FROM former_contents
           WHERE connection_id = ?1 AND server_id = ?2 AND (?3 IS NULL OR path = ?3) ORDER BY seq DESC`,
        )
        .all(connectionId, serverId, path) as unknown as FormerRow[],

    former: (connectionId: string, serverId: string, id: string) =>
      (db
        .prepare(
          `SELECT ${columns} FROM former_contents WHERE connection_id = ? AND server_id = ? AND id = ?`,
        )
        .get(connectionId, serverId, id) as FormerRow | undefined) ?? null,

    removeFormer: (id: string) => void db.prepare('DELETE FROM former_contents WHERE id = ?').run(id),

    moveFormers: (connectionId: string, serverId: string, from: string, to: string) =>
      void db
        .prepare(
          `UPDATE former_contents SET path = ?4 || substr(path, length(?3) + 1)
           WHERE connection_id = ?1 AND server_id = ?2 AND (path = ?3 OR substr(path, 1, length(?3) + 1) = ?3 || '/')`,
        )
        .run(connectionId, serverId, from, to),

    formerIds: (connectionId: string | null, serverId: string | null) =>
      ids(
        db
          .prepare(
            `SELECT id FROM former_contents
             WHERE (?1 IS NULL OR connection_id = ?1) AND (?2 IS NULL OR server_id = ?2)`,
          )
          .all(connectionId, serverId),
      ),

    boundFormers({ perFile, bytes, forMs }: FormerBounds, seen: number): string[] {
      // Rows without a usable time, from an earlier version or a lost count, start aging now.
      unstamped.run(seen)
      return ids(
        db
          .prepare(
            `DELETE FROM former_contents WHERE seen_at < ?1 OR seq IN (
               SELECT seq FROM (
                 SELECT seq,
                   row_number() OVER (PARTITION BY connection_id, server_id, path ORDER BY seq DESC) AS place,
                   sum(size) OVER (ORDER BY seq DESC) AS total
                 FROM former_contents
               ) WHERE place > ?2 OR total > ?3)
             RETURNING id`,
          )
          .all(seen - forMs, perFile, bytes),
      )
    },
  }
}
