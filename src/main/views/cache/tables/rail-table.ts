import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import {
  type Rail,
  RAIL_COLORS,
  type RailArrangement,
  type RailColor,
} from '../../../../contract/rules/rail/rail.ts'

const EMPTY: RailArrangement = { loose: [], folders: [], marks: [] }

interface FolderRow {
  connection: string
  id: string
  name: string
  collapsed: number
}

interface ServerRow {
  connection: string
  id: string
  /** Null outside of folders. */
  folder: string | null
  place: number | null
  color: string | null
  icon: string | null
}

/** The user's arrangement of servers. Invalid rows are ignored: their servers count as not arranged. */
export function railTable(db: DatabaseSync) {
  const folders = db.prepare(
    `SELECT connection_id AS connection, folder_id AS id, name, collapsed FROM rail_folders
     WHERE connection_id = ?1 OR ?1 IS NULL ORDER BY connection_id, place, folder_id`,
  )
  const servers = db.prepare(
    `SELECT connection_id AS connection, server_id AS id, folder_id AS folder, place, colour AS color, icon FROM rail_servers
     WHERE connection_id = ?1 OR ?1 IS NULL ORDER BY connection_id, place IS NULL, place, server_id`,
  )
  const addFolder = db.prepare('INSERT INTO rail_folders VALUES (?, ?, ?, ?, ?)')
  const addServer = db.prepare('INSERT INTO rail_servers VALUES (?, ?, ?, ?, ?, ?)')

  function rails(connectionId: string | null = null): Rail[] {
    const all = new Map<string, RailArrangement>()
    const of = (connection: string) => {
      const rail = all.get(connection) ?? { loose: [], folders: [], marks: [] }
      all.set(connection, rail)
      return rail
    }
    for (const row of folders.all(connectionId) as unknown as FolderRow[])
      if (row.name.trim() !== '')
        of(row.connection).folders.push({
          id: row.id,
          name: row.name,
          collapsed: row.collapsed === 1,
          servers: [],
        })
    for (const row of servers.all(connectionId) as unknown as ServerRow[]) takeServer(of(row.connection), row)
    return [...all].map(([id, arrangement]) => asKept(id, arrangement))
  }

  const rail = (connectionId: string): Rail => rails(connectionId)[0] ?? asKept(connectionId, EMPTY)

  return {
    rails: () => rails(),
    rail,
    /** Atomic. Null if the stored revision isn't `base`; a null `base` means none yet. */
    arrangeRail(connectionId: string, base: string | null, arrangement: RailArrangement): Rail | null {
      db.exec('BEGIN IMMEDIATE')
      try {
        if (rail(connectionId).revision !== (base ?? asKept(connectionId, EMPTY).revision)) {
          db.exec('ROLLBACK')
          return null
        }
        for (const table of ['rail_folders', 'rail_servers'])
          db.prepare(`DELETE FROM ${table} WHERE connection_id = ?`).run(connectionId)
        for (const [place, { id, name, collapsed }] of arrangement.folders.entries())
          addFolder.run(connectionId, id, place, name, collapsed ? 1 : 0)
        for (const [id, row] of rowsOf(arrangement))
          addServer.run(connectionId, id, row.folder, row.place, row.color, row.icon)
        db.exec('COMMIT')
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
      return rail(connectionId)
    },
  }
}

function takeServer(rail: RailArrangement, { id, folder, place, color, icon }: ServerRow): void {
  const into = folder === null ? rail.loose : rail.folders.find((one) => one.id === folder)?.servers
  if (place !== null) into?.push(id)
  const known = isColor(color) ? color : null
  const letters = icon?.trim() || null
  if (known !== null || letters !== null) rail.marks.push({ serverId: id, color: known, icon: letters })
}

const isColor = (text: string | null): text is RailColor => RAIL_COLORS.some((color) => color === text)

type Row = Omit<ServerRow, 'connection' | 'id'>

function rowsOf({ loose, folders, marks }: RailArrangement): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const { id: folder, servers } of [{ id: null, servers: loose }, ...folders])
    for (const id of servers) rows.set(id, { folder, place: rows.size, color: null, icon: null })
  for (const { serverId, color, icon } of marks)
    rows.set(serverId, { ...(rows.get(serverId) ?? { folder: null, place: null }), color, icon })
  return rows
}

/** The revision is derived from the content, so it is the same in every session. */
function asKept(connectionId: string, { loose, folders, marks }: RailArrangement): Rail {
  const revision = createHash('sha256')
    .update(JSON.stringify([loose, folders, marks]))
    .digest('base64url')
  return { connectionId, revision, loose, folders, marks }
}
