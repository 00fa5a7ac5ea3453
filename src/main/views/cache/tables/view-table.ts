import type { DatabaseSync } from 'node:sqlite'

/** JSON text, the time it was read, and its ETag. */
export interface StoredView {
  value: string
  asOf: string
  tag?: string | null
}

const KEPT = {
  /** Folder views, also limited by the bytes of their JSON. */
  folders: 300,
  folderBytes: 32 * 1024 * 1024,
  views: 20_000,
  /** Writes per connection between checks. */
  checkedAfter: 1000,
}

export function viewTable(db: DatabaseSync, kept = KEPT) {
  const readView = db.prepare('SELECT value, as_of AS asOf, tag FROM views WHERE key = ?')
  const writeView = db.prepare(
    'INSERT OR REPLACE INTO views (key, connection_id, server_id, as_of, value, tag, bounded) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const boundFolders = db.prepare(
    `DELETE FROM views WHERE key IN (
       SELECT key FROM (
         SELECT key, bounded, row_number() OVER newest AS place, sum(bounded) OVER newest AS bytes
         FROM views WHERE bounded IS NOT NULL WINDOW newest AS (ORDER BY as_of DESC, key ROWS UNBOUNDED PRECEDING)
       ) WHERE place > 1 AND (place > ? OR bytes > ?))`,
  )
  const boundViews = db.prepare(
    `DELETE FROM views WHERE key IN (
       SELECT key FROM views WHERE connection_id = ? AND bounded IS NULL ORDER BY as_of DESC LIMIT -1 OFFSET ?)`,
  )
  const unchecked = new Map<string, number>()

  return {
    readView: (key: string) => (readView.get(key) as StoredView | undefined) ?? null,
    writeView(
      key: string,
      connectionId: string,
      serverId: string | null,
      view: StoredView,
      bounded: boolean = false,
    ) {
      const bytes = bounded ? view.value.length : null
      writeView.run(key, connectionId, serverId, view.asOf, view.value, view.tag ?? null, bytes)
      if (bounded) return void boundFolders.run(kept.folders, kept.folderBytes)
      const written = (unchecked.get(connectionId) ?? kept.checkedAfter) + 1
      const isDue = written > kept.checkedAfter
      unchecked.set(connectionId, isDue ? 0 : written)
      if (isDue) boundViews.run(connectionId, kept.views)
    },
  }
}
