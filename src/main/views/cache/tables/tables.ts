import type { DatabaseSync } from 'node:sqlite'
import { wipeRows } from '../../../storage/wipe-rows.ts'
import { addedTable } from './added-table.ts'
import { commandTable } from './command-table.ts'
import { draftTable } from './draft-table.ts'
import { driftTable } from './drift-table.ts'
import { formerTable } from './previous-version-table.ts'
import { LineArchive } from './line-archive.ts'
import { numberIdTable } from './number-id-table.ts'
import { railTable } from './rail-table.ts'
import { viewTable } from './view-table.ts'
import { storedJson } from '../../../storage/stored-json.ts'

/** Runs in the worker thread; `Cache` calls the methods by name. */
export function createTables(db: DatabaseSync) {
  const archive = new LineArchive(db)
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

    ...viewTable(db),
    ...formerTable(db),
    ...draftTable(db),
    ...driftTable(db),
    ...addedTable(db),
    ...numberIdTable(db),
    ...favoriteTable(db),
    ...commandTable(db),
    ...railTable(db),

    appendLines: archive.append.bind(archive),
    linesBefore: archive.before.bind(archive),
    linesAfter: archive.after.bind(archive),
    lineNeighbor: archive.neighbor.bind(archive),
    lastLine: archive.last.bind(archive),
    flushLines: archive.flush.bind(archive),

    /** Only for signing out. */
    wipe(connectionId: string) {
      archive.forget(connectionId)
      wipeRows(db, { connectionId })
      // The write-ahead log contains older versions of the pages.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    wipeServer(connectionId: string, serverId: string) {
      archive.flush()
      wipeRows(db, { connectionId, serverId })
    },
  }
}

const favoriteTable = (db: DatabaseSync) => ({
  favorites(connectionId: string, serverId: string): string[] {
    const row = db
      .prepare('SELECT paths FROM favourites WHERE connection_id = ? AND server_id = ?')
      .get(connectionId, serverId) as { paths: string } | undefined
    return (storedJson(row?.paths ?? null) as string[] | null) ?? []
  },
  setFavorites: (connectionId: string, serverId: string, paths: string[]) =>
    void db
      .prepare(
        `INSERT INTO favourites (connection_id, server_id, paths) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET paths = excluded.paths`,
      )
      .run(connectionId, serverId, JSON.stringify(paths)),
})
