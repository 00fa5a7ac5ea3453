import type { DatabaseSync } from 'node:sqlite'

/** Servers that may be added by their ids to one connection. */
export const ADDED_MOST = 100

export interface AddedServer {
  id: string
  /** As the service named it last; null where it never did. */
  name: string | null
}

/** The servers that were added by their ids, in the order they were. */
export function addedTable(db: DatabaseSync) {
  const all = db.prepare(
    'SELECT server_id AS id, name FROM added_servers WHERE connection_id = ? ORDER BY rowid',
  )
  // Counting and adding are one step.
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
    /** False where there are as many as there may be. */
    addServer(connectionId: string, serverId: string): boolean {
      add.run(connectionId, serverId, ADDED_MOST)
      return addedServers(connectionId).some(({ id }) => id === serverId)
    },
    renameAdded: (connectionId: string, serverId: string, name: string) =>
      void rename.run(name, connectionId, serverId),
    forgetAdded: (connectionId: string, serverId: string) => void remove.run(connectionId, serverId),
  }
}
