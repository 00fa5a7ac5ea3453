import type { Problem } from '../../../contract/bridge/problem.ts'
import type { QueueFile } from './queue-file.ts'
import type { ItemChange, ItemRow, NewItem, NewTransfer, TransferChange } from './rows.ts'
import { known, transferColumns, transferOf, othersOf } from './rows-in-sql.ts'

export function transferMethods(file: QueueFile) {
  const { db, together, change, one, insert, insertTransfer, endItems, trim } = file
  /** After listing a folder again: only entries not yet queued. */
  function notYetThere(transferId: string, items: NewItem[]): NewItem[] {
    const rows = db.prepare('SELECT path FROM items WHERE transfer_id = ?').all(transferId)
    const there = new Set(rows.map((row) => row['path']))
    return items.filter(({ path }) => !there.has(path))
  }
  return {
    add: (transfer: NewTransfer, items: NewItem[]) =>
      together(() => {
        insertTransfer(transfer, { state: 'active', others: othersOf(items) })
        return insert(transfer.id, items)
      }),
    expand: (item: Pick<ItemRow, 'id' | 'transferId' | 'reached'>, items: NewItem[], now: ItemChange) =>
      together(() => {
        insert(item.transferId, item.reached > 0 ? notYetThere(item.transferId, items) : items)
        change('items', item.id, now)
      }),
    /** Open ones in order, then ended ones, newest first. */
    all: () =>
      db
        .prepare(
          `SELECT ${transferColumns} FROM transfers WHERE ${known}
           ORDER BY ended_at IS NOT NULL, iif(ended_at IS NULL, position, 0), ended_at DESC`,
        )
        .all()
        .map(transferOf),
    active: () =>
      db
        .prepare(
          `SELECT ${transferColumns} FROM transfers WHERE ended_at IS NULL AND ${known} ORDER BY position`,
        )
        .all()
        .map(transferOf),
    one,
    changeTransfer: (id: string, values: TransferChange) => {
      change('transfers', id, values)
      if (values.endedAt) trim()
    },
    order: (ids: readonly string[]) =>
      together(() => ids.forEach((id, at) => change('transfers', id, { position: at + 1 }))),
    /** Ends a finished transfer; returns it, or null if it continues or was stopped. */
    settle: (id: string, endedAt: string) =>
      together(() => {
        const row = one(id)
        if (row?.state !== 'active' || row.open > 0 || row.asking > 0 || row.gathering > 0) return null
        change('transfers', id, { state: row.failed > 0 ? 'failed' : 'done', endedAt })
        trim()
        return row
      }),
    /** Fails the transfer and its open items; returns it, or null if it was stopped. */
    fail: (id: string, why: Problem, endedAt: string) =>
      together(() => {
        if (one(id)?.state !== 'active') return null
        endItems(id, { state: 'failed', problem: why })
        change('transfers', id, { state: 'failed', problem: why, endedAt })
        trim()
        return one(id)
      }),
  }
}
