import type { Problem } from '../../../contract/bridge/problem.ts'
import type { QueueFile } from './queue-file.ts'
import { type BatchSize, begun, itemColumns, type ItemChange, itemOf, type ItemRow } from './rows.ts'

export const itemTable = (file: QueueFile) => ({ ...storedItems(file), ...claims(file), ...pageItems(file) })

function storedItems({ db, together, change, prepared }: QueueFile) {
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

function claims({ db, together, one }: QueueFile) {
  return {
    /** Applies a choice for all. Skips `moving` items: a restarted one waits until its last attempt ends. */
    claim: (transferId: string, batch: BatchSize | null, moving: readonly number[] = []) =>
      together(() => {
        const transfer = one(transferId)
        if (transfer?.state !== 'active') return []
        const { choice } = transfer
        const waiting = `SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND state = 'waiting'
          AND id NOT IN (SELECT value FROM json_each(?))`
        const those = [transferId, JSON.stringify(moving)]
        const row = db.prepare(`${waiting} ORDER BY id LIMIT 1`).get(...those)
        if (!row) return []
        const first = itemOf(row)
        const isSmall = (item: ItemRow) =>
          batch !== null &&
          item.kind === 'file' &&
          item.size <= batch.smallBytes &&
          // Excludes begun uploads and keep-both, where a lost answer would cause duplicates.
          item.resume === null &&
          (item.choice ?? choice) !== 'keep-both'
        let taken = [first]
        if (batch && isSmall(first)) {
          taken = []
          let bytes = 0
          const rows = db
            .prepare(`${waiting} AND kind = 'file' AND size <= ? ORDER BY id LIMIT ?`)
            .all(...those, batch.smallBytes, batch.maxFiles)
          for (const item of rows.map(itemOf)) {
            if (!isSmall(item) || (item.choice ?? choice) !== (first.choice ?? choice)) continue
            if (taken.length > 0 && bytes + item.size > batch.maxBytes) break
            bytes += item.size
            taken.push(item)
          }
        }
        const mark = db.prepare("UPDATE items SET state = 'running' WHERE id = ?")
        for (const item of taken) mark.run(item.id)
        for (const item of taken) {
          item.state = 'running'
          item.choice ??= choice
        }
        return taken
      }),
  }
}

/** Items whose files a page sends. */
function pageItems({ db, together, prepared }: QueueFile) {
  return {
    growing: (id: number) =>
      void db.prepare("UPDATE items SET state = 'waiting' WHERE id = ? AND state = 'gathering'").run(id),
    /** Files are complete in `source`; those not being sent yet become waiting. */
    came: (source: string, items: Pick<ItemRow, 'id' | 'sourceAt' | 'modifiedAt'>[]) =>
      together(() => {
        const here = prepared(
          `UPDATE items SET source = ?, source_at = ?, modified_at = ?,
           state = iif(state = 'gathering', 'waiting', state) WHERE id = ? AND state <> 'cancelled'`,
        )
        for (const { id, sourceAt, modifiedAt } of items) here.run(source, sourceAt, modifiedAt, id)
      }),
    /** Awaits an interrupted file again, unless it is complete or ended. */
    gather: (id: number) =>
      void db
        .prepare(
          `UPDATE items SET state = iif(source = '', 'gathering', 'waiting') WHERE id = ? AND kind = 'file'
           AND state IN ('waiting', 'running')`,
        )
        .run(id),
    /** Fails items the page won't send: these, or all but these. */
    lose: (
      transferId: string,
      which: { only: readonly number[] } | { but: readonly number[] },
      why: Problem,
    ) =>
      together(() => {
        const open = `transfer_id = ? AND kind = 'file' AND source = ''
          AND state IN ('gathering', 'waiting', 'running', 'asking')`
        const update = `UPDATE items SET state = 'failed', problem = ? WHERE ${open}`
        const text = JSON.stringify(why)
        const named = 'only' in which ? 'id IN' : 'id NOT IN'
        db.prepare(`${update} AND ${named} (SELECT value FROM json_each(?))`).run(
          ...[text, transferId, JSON.stringify('only' in which ? which.only : which.but)],
        )
      }),
  }
}
