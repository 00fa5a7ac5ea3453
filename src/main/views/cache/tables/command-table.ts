import type { DatabaseSync } from 'node:sqlite'

const KEPT_COMMANDS = 500

/** Sent commands per server, without duplicates, newest first. */
export const commandTable = (db: DatabaseSync) => ({
  addCommand(connectionId: string, serverId: string, command: string) {
    db.prepare('DELETE FROM commands WHERE connection_id = ? AND server_id = ? AND command = ?').run(
      connectionId,
      serverId,
      command,
    )
    db.prepare('INSERT INTO commands (connection_id, server_id, command) VALUES (?, ?, ?)').run(
      connectionId,
      serverId,
      command,
    )
    db.prepare(
      `DELETE FROM commands WHERE connection_id = ?1 AND server_id = ?2 AND id <=
         (SELECT id FROM commands WHERE connection_id = ?1 AND server_id = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)`,
    ).run(connectionId, serverId, KEPT_COMMANDS)
  },
  commands: (connectionId: string, serverId: string) =>
    (
      db
        .prepare('SELECT command FROM commands WHERE connection_id = ? AND server_id = ? ORDER BY id DESC')
        .all(connectionId, serverId) as { command: string }[]
    ).map((row) => row.command),
})
