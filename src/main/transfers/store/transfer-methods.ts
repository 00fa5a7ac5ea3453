import type { Problem } from '../../../contract/bridge/problem.ts'
import type { QueueFile } from './queue-file.ts'
import type { ItemChange, ItemRow, NewItem, NewTransfer, TransferChange } from './rows.ts'
import { known, transferColumns, transferOf, othersOf } from './rows-in-sql.ts'

/** What is done to whole transfers. */
export function transferMethods(file: QueueFile) {
  const { db, together, change, one, insert, insertTransfer, endItems, trim } = file
  /** Of a folder that is read again: what has not become an item before. */
  function notYetThere(transferId: string, items: NewItem[]): NewItem[] {
    const rows = db.prepare('SELECT path FROM items WHERE transfer_id = ?').all(transferId)
    const there = new Set(rows.map((row) => row['path']))
    return items.filter(({ path }) => !there.has(path))
  }
  return {
    /** Adds a transfer behind the others; answers the ids of its items, in their order. */
    add: (transfer: NewTransfer, items: NewItem[]) =>
      together(() => {
        insertTransfer(transfer, { state: 'active', others: othersOf(items) })
        return insert(transfer.id, items)
      }),
    /** What a folder was found to hold, together with the change of that folder itself: both or neither. */
    expand: (item: Pick<ItemRow, 'id' | 'transferId' | 'reached'>, items: NewItem[], now: ItemChange) =>
      together(() => {
        insert(item.transferId, item.reached > 0 ? notYetThere(item.transferId, items) : items)
        change('items', item.id, now)
      }),
    /** Those that are not ended in their order, then the ended ones, newest first. */
    all: () =>
      db
        .prepare(
          `SELECT ${transferColumns} FROM transfers WHERE ${known}
           ORDER BY ended_at IS NOT NULL, iif(ended_at IS NULL, position, 0), ended_at DESC`,
        )
        .all()
        .map(transferOf),
    /** Those that are not ended, in their order. */
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
    /** Puts transfers in this order. */
    order: (ids: readonly string[]) =>
      together(() => ids.forEach((id, at) => change('transfers', id, { position: at + 1 }))),
    /** Ends a transfer with nothing left to do; answers it as it was, or null where it goes on or was stopped. */
    settle: (id: string, endedAt: string) =>
      together(() => {
        const row = one(id)
        if (row?.state !== 'active' || row.open > 0 || row.asking > 0 || row.gathering > 0) return null
        change('transfers', id, { state: row.failed > 0 ? 'failed' : 'done', endedAt })
        trim()
        return row
      }),
    /** Ends a transfer with a fault, and all of it that is not ended; answers how it is then, null of one that was stopped. */
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
