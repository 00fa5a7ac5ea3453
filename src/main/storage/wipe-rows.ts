import type { DatabaseSync } from 'node:sqlite'

export interface RowOwner {
  connectionId: string
  serverId?: string
}

/**
 * Deletes rows of a connection or server from every table. The schema shows which tables have them, so new tables
 * cannot be forgotten. Rows that name two connections, such as copies, go with either.
 */
export function wipeRows(db: DatabaseSync, { connectionId, serverId }: RowOwner): void {
  for (const [table, columns] of tablesOf(db)) {
    const pairs = columns
      .filter((name) => name.endsWith(CONNECTION))
      .map((name) => ({ connection: name, server: name.slice(0, -CONNECTION.length) + SERVER }))
      .filter(({ server }) => serverId === undefined || columns.includes(server))
    if (pairs.length === 0) continue
    const where = pairs.map(({ connection, server }) =>
      serverId === undefined
        ? `"${connection}" = :connectionId`
        : `("${connection}" = :connectionId AND "${server}" = :serverId)`,
    )
    db.prepare(`DELETE FROM "${table}" WHERE ${where.join(' OR ')}`).run({
      connectionId,
      ...(serverId !== undefined && { serverId }),
    })
  }
}

const CONNECTION = 'connection_id'
const SERVER = 'server_id'

function tablesOf(db: DatabaseSync): Map<string, string[]> {
  const rows = db
    .prepare(
      `SELECT tables.name AS name, columns.name AS "column"
       FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
    )
    .all() as { name: string; column: string }[]
  const tables = new Map<string, string[]>()
  for (const { name, column } of rows) tables.set(name, [...(tables.get(name) ?? []), column])
  return tables
}
