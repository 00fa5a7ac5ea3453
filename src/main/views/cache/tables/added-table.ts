import type { DatabaseSync } from 'node:sqlite'

export const ADDED_MOST = 100

export interface AddedServer {
  id: string
  name: string | null
}

export function addedTable(db: DatabaseSync) {
  const all = db.prepare(
    'SELECT server_id AS id, name FROM added_servers WHERE connection_id = ? ORDER BY rowid',
  )
  // Count and insert atomically.
  const add = db.prepare(
    `INSERT INTO added_servers (connection_id, server_id)
     SELECT ?1, ?2 WHERE (SELECT count(*) FROM added_servers WHERE connection_id = ?1) < ?3
     ON CONFLICT DO NOTHING`,
  )
  const rename = db.prepare('UPDATE added_servers SET name = ? WHERE connection_id = ? AND server_id = ?')
  const remove = db.prepare('DELETE FROM added_servers WHERE connection_id = ? AND server_id = ?')
  const addedServers = (connectionId: string) => all.all(connectionId) as unknown as AddedServer[]
  return {
    addedServers,
    /** False if the limit is reached. */
    addServer(connectionId: string, serverId: string): boolean {
      add.run(connectionId, serverId, ADDED_MOST)
      return addedServers(connectionId).some(({ id }) => id === serverId)
    },
    renameAdded: (connectionId: string, serverId: string, name: string) =>
      void rename.run(name, connectionId, serverId),
    forgetAdded: (connectionId: string, serverId: string) => void remove.run(connectionId, serverId),
  }
}
