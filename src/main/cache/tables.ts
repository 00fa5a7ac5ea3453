import type { DatabaseSync } from 'node:sqlite'
import { collectGarbage } from '../../computer/rest.ts'
import { wipeRows } from '../databases/wipe-rows.ts'
import { addedTable } from './added-table.ts'
import { commandTable } from './command-table.ts'
import { draftTable } from './draft-table.ts'
import { driftTable } from './drift-table.ts'
import { favouriteTable } from './favourite-table.ts'
import { formerTable } from './former-table.ts'
import { LineArchive } from './line-archive.ts'

/** A cached view as it is stored: JSON text, when it was read, and its ETag. */
export interface StoredView {
  value: string
  asOf: string
  tag?: string | null
}

/** Folders kept on disk: so many, and so many bytes of their JSON, the newest first. */
const KEPT_FOLDERS = 300
const KEPT_FOLDER_BYTES = 32 * 1024 * 1024

/** Everything the cache can do, inside its worker thread. Each method is called by name from `Cache`. */
export function createTables(db: DatabaseSync) {
  const archive = new LineArchive(db)
  const readView = db.prepare('SELECT value, as_of AS asOf, tag FROM views WHERE key = ?')
  const writeView = db.prepare(
    'INSERT OR REPLACE INTO views (key, connection_id, server_id, as_of, value, tag, bounded) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const boundViews = db.prepare(
    `DELETE FROM views WHERE key IN (
       SELECT key FROM (
         SELECT key, bounded, row_number() OVER newest AS place, sum(bounded) OVER newest AS bytes
         FROM views WHERE bounded IS NOT NULL WINDOW newest AS (ORDER BY as_of DESC, key ROWS UNBOUNDED PRECEDING)
       ) WHERE place > 1 AND (place > ? OR bytes > ?))`,
  )
  const setting = db.prepare('SELECT value FROM settings WHERE name = ?')
  const changeSetting = db.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const saveRecord = db.prepare(
    'INSERT INTO connections (id, record) VALUES (?, ?) ON CONFLICT DO UPDATE SET record = excluded.record',
  )

  return {
    records: () =>
      (db.prepare('SELECT record FROM connections').all() as { record: string }[]).map((r) => r.record),
    saveRecord: (id: string, record: string) => void saveRecord.run(id, record),
    removeRecord: (id: string) => void db.prepare('DELETE FROM connections WHERE id = ?').run(id),

    readSetting: (name: string) => (setting.get(name) as { value: string } | undefined)?.value ?? null,
    writeSetting: (name: string, value: string) => void changeSetting.run(name, value),

    readView: (key: string) => (readView.get(key) as StoredView | undefined) ?? null,
    /** `bounded` views are kept only as far as they are few and small; the oldest go. */
    writeView(
      key: string,
      connectionId: string,
      serverId: string | null,
      view: StoredView,
      bounded: boolean = false,
    ) {
      const bytes = bounded ? view.value.length : null
      writeView.run(key, connectionId, serverId, view.asOf, view.value, view.tag ?? null, bytes)
      if (bounded) boundViews.run(KEPT_FOLDERS, KEPT_FOLDER_BYTES)
    },

    ...formerTable(db),
    ...draftTable(db),
    ...driftTable(db),
    ...addedTable(db),
    ...favouriteTable(db),
    ...commandTable(db),

    appendLines: archive.append.bind(archive),
    linesBefore: archive.before.bind(archive),
    linesAfter: archive.after.bind(archive),
    lineNeighbour: archive.neighbour.bind(archive),
    lastLine: archive.last.bind(archive),
    flushLines: archive.flush.bind(archive),

    /** Forgets everything of a connection: only signing out does this. */
    wipe(connectionId: string) {
      archive.forget(connectionId)
      wipeRows(db, { connectionId })
      // The write-ahead log holds older states of the pages.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    /** Forgets what was kept of a server that was deleted. */
    wipeServer(connectionId: string, serverId: string) {
      archive.flush()
      wipeRows(db, { connectionId, serverId })
    },
    /** Lets go of what is not needed while nobody asks for anything. */
    rest() {
      db.exec('PRAGMA shrink_memory')
      collectGarbage()
    },
  }
}
