import type { QueueFile } from './queue-file.ts'
import type { ItemChange } from './rows.ts'
import { itemColumns, itemOf, begun } from './rows-in-sql.ts'

export function itemMethods({ db, together, change, prepared }: QueueFile) {
  return {
    item: (id: number) => {
      const row = db.prepare(`SELECT ${itemColumns} FROM items WHERE id = ?`).get(id)
      return row ? itemOf(row) : null
    },
    /** In the order of `ids`; null if missing. */
    itemsOf: (ids: readonly number[]) => {
      const statement = prepared(`SELECT ${itemColumns} FROM items WHERE id = ?`)
      return ids.map((id) => {
        const row = statement.get(id)
        return row ? itemOf(row) : null
      })
    },
    changeItem: (id: number, values: ItemChange) => change('items', id, values),
    changeItems: (changes: { id: number; values: ItemChange }[]) =>
      together(() => {
        for (const { id, values } of changes) change('items', id, values)
      }),
    changeAll: (ids: readonly number[], values: ItemChange) =>
      together(() => {
        for (const id of ids) change('items', id, values)
      }),
    /** `moved`: paths that differ from the request, by item id. */
    done: (ids: readonly number[], moved: ReadonlyMap<number, string>) =>
      together(() => {
        const done = prepared(
          `UPDATE items SET state = 'done', bytes_done = size, resume = NULL, sent = 0, problem = NULL, final_path = ?,
           tries = iif(size > reached, 0, tries), reached = max(reached, size) WHERE id = ?`,
        )
        for (const id of ids) done.run(moved.get(id) ?? null, id)
      }),
    /** Failed items first. */
    items(transferId: string, only: 'failed' | 'all', offset: number, limit: number) {
      const where = only === 'failed' ? "transfer_id = ? AND state = 'failed'" : 'transfer_id = ?'
      const { total } = db.prepare(`SELECT count(*) AS total FROM items WHERE ${where}`).get(transferId) as {
        total: number
      }
      const rows = db
        .prepare(
          `SELECT ${itemColumns} FROM items WHERE ${where} ORDER BY state <> 'failed', id LIMIT ? OFFSET ?`,
        )
        .all(transferId, limit, offset)
      return { items: rows.map(itemOf), total }
    },
    /** Picked items that have arrived, including incomplete folders; at most 100. */
    picked: (transferId: string) =>
      db
        .prepare(
          `SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND instr(path, '/') = 0
           AND (state = 'done' OR (state = 'failed' AND kind = 'folder' AND resume IS NOT NULL)) ORDER BY id LIMIT 100`,
        )
        .all(transferId)
        .map(itemOf),
    larger: (transferId: string, bytes: number) =>
      db
        .prepare(
          `SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND size > ? AND state IN ('waiting', 'gathering')`,
        )
        .all(transferId, bytes)
        .map(itemOf),
    firstAsking(transferId: string) {
      const row = db
        .prepare(
          `SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND state = 'asking' ORDER BY id LIMIT 1`,
        )
        .get(transferId)
      return row ? itemOf(row) : null
    },
    begun: (transferId: string) =>
      db
        .prepare(`SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND ${begun}`)
        .all(transferId)
        .map(itemOf),
  }
}
