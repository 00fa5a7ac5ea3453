import type { DatabaseSync } from 'node:sqlite'
import { storedJson } from '../../../storage/stored-json.ts'

export const favoriteTable = (db: DatabaseSync) => ({
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
