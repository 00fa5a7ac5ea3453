import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { transaction } from '../../../host/app-database.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import { assigned, begun, known, transferColumns, transferOf, unended } from './rows.ts'
import type { NewItem, NewTransfer, StoredState } from './rows.ts'

const HISTORY_MOST = 200

export function queueFile(db: DatabaseSync) {
  const together = <T>(work: () => T): T => transaction(db, work)
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const change = (table: 'transfers' | 'items', id: string | number, values: object) => {
    const { set, given } = assigned(values)
    if (set !== '') prepared(`UPDATE ${table} SET ${set} WHERE id = ?`).run(...given, id)
  }
  /** Ends all open items with the counting trigger dropped: it would take ten times as long. */
  const endItems = (id: string, values: { state: 'failed' | 'cancelled'; problem?: Problem }) => {
    const found = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'item_changed'").get()
    const { set, given } = assigned(values)
    db.exec('DROP TRIGGER item_changed')
    const update = `UPDATE items SET ${set} WHERE transfer_id = ? AND ${unended}`
    const ended = Number(db.prepare(update).run(...given, id).changes)
    db.prepare(
      `UPDATE transfers SET open = 0, asking = 0, gathering = 0, bytes_left = 0, failed = failed + ? WHERE id = ?`,
    ).run(values.state === 'failed' ? ended : 0, id)
    db.exec((found as { sql: string }).sql)
  }
  const insertItem = db.prepare(
    `INSERT INTO items (transfer_id, path, kind, size, modified_at, source, target, state, choice)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insert = (transferId: string, items: readonly NewItem[]) =>
    items.map((item) => {
      const { path, kind, size, modifiedAt, source, target, state, choice = null } = item
      return Number(
        insertItem.run(transferId, path, kind, size, modifiedAt, source, target, state, choice)
          .lastInsertRowid,
      )
    })
  const nextPosition = () => {
    const found = db.prepare('SELECT coalesce(max(position), 0) AS last FROM transfers').get()
    return (found as { last: number }).last + 1
  }
  const insertTransfer = (
    transfer: NewTransfer,
    { state, others }: { state: StoredState | 'collecting'; others: number },
  ) =>
    void db
      .prepare(
        `INSERT INTO transfers (id, kind, state, position, name, others, connection_id, server_id,
         from_connection_id, from_server_id, backup, folder, page, created_at, choice)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[transfer.id, transfer.kind, state, nextPosition(), transfer.name, others],
        ...[transfer.connectionId, transfer.serverId, transfer.fromConnectionId, transfer.fromServerId],
        ...[transfer.backup, transfer.folder, transfer.page, transfer.createdAt, transfer.choice ?? null],
      )
  const one = (id: string) => {
    const row = db.prepare(`SELECT ${transferColumns} FROM transfers WHERE id = ? AND ${known}`).get(id)
    return row ? transferOf(row) : null
  }
  /** Keeps transfers with unfinished parts: otherwise they could never be removed. */
  const trim = () =>
    db
      .prepare(
        `DELETE FROM transfers WHERE ended_at IS NOT NULL AND id NOT IN
         (SELECT id FROM transfers WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT ?)
         AND NOT EXISTS (SELECT 1 FROM items WHERE transfer_id = transfers.id AND ${begun})`,
      )
      .run(HISTORY_MOST)

  return { db, together, prepared, change, endItems, insert, insertTransfer, nextPosition, one, trim }
}

export type QueueFile = ReturnType<typeof queueFile>
