import type { DatabaseSync } from 'node:sqlite'
import type { Draft } from '../../../../contract/bridge/values.ts'

/** Characters of all drafts: a few texts of the editor's maximum size. */
const MOST = 20_000_000

/** Unsaved texts. Over the limit the oldest go, but never the last saved: it is being edited. */
export function draftTable(db: DatabaseSync, most = MOST) {
  const keep = db.prepare(
    `INSERT INTO drafts (connection_id, server_id, path, text, etag, at, size) VALUES (?1, ?2, ?3, ?4, ?5, ?6, length(?4))
     ON CONFLICT DO UPDATE SET text = excluded.text, etag = excluded.etag, at = excluded.at, size = excluded.size`,
  )
  const bound = db.prepare(
    `DELETE FROM drafts WHERE rowid IN (
       SELECT rowid FROM (
         SELECT rowid, row_number() OVER newest AS place, sum(size) OVER newest AS total
         FROM drafts WINDOW newest AS (ORDER BY at DESC, rowid DESC ROWS UNBOUNDED PRECEDING)
       ) WHERE place > 1 AND total > ?1)
     AND NOT (connection_id = ?2 AND server_id = ?3 AND path = ?4)`,
  )

  return {
    draft: (connectionId: string, serverId: string, path: string) =>
      (db
        .prepare('SELECT text, etag, at FROM drafts WHERE connection_id = ? AND server_id = ? AND path = ?')
        .get(connectionId, serverId, path) as Draft | undefined) ?? null,

    keepDraft(connectionId: string, serverId: string, path: string, { text, etag, at }: Draft) {
      keep.run(connectionId, serverId, path, text, etag, at)
      // It may look like the oldest if the clock was set back.
      bound.run(most, connectionId, serverId, path)
    },

    discardDraft: (connectionId: string, serverId: string, path: string) =>
      void db
        .prepare('DELETE FROM drafts WHERE connection_id = ? AND server_id = ? AND path = ?')
        .run(connectionId, serverId, path),

    moveDrafts: (connectionId: string, serverId: string, from: string, to: string) =>
      void db
        .prepare(
          `UPDATE OR REPLACE drafts SET path = ?4 || substr(path, length(?3) + 1)
           WHERE connection_id = ?1 AND server_id = ?2 AND (path = ?3 OR substr(path, 1, length(?3) + 1) = ?3 || '/')`,
        )
        .run(connectionId, serverId, from, to),
  }
}
