import type { Problem } from '../../../contract/bridge/problem.ts'
import { wipeRows } from '../../storage/wipe-rows.ts'
import type { QueueFile } from './queue-file.ts'
import {
  type Choice,
  type ItemChange,
  type ItemRow,
  known,
  type NewItem,
  type NewTransfer,
  othersOf,
  transferColumns,
  type TransferChange,
  transferOf,
  unended,
} from './rows.ts'

export const transferTable = (file: QueueFile) => ({
  ...storedTransfers(file),
  ...collecting(file),
  ...stopping(file),
})

function storedTransfers(file: QueueFile) {
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

/** Builds a transfer from pages of items. Until complete it is invisible and idle, and removed on the next start. */
function collecting({ db, together, insert, insertTransfer, nextPosition }: QueueFile) {
  const isCollecting = (id: string) =>
    db.prepare("SELECT 1 FROM transfers WHERE id = ? AND state = 'collecting'").get(id) !== undefined
  return {
    collect: (transfer: NewTransfer) => insertTransfer(transfer, { state: 'collecting', others: 0 }),
    collected: (id: string, items: NewItem[]) =>
      together(() => {
        if (!isCollecting(id)) return false
        insert(id, items)
        return true
      }),
    begin: (id: string) =>
      together(() => {
        const begun = db.prepare(
          `UPDATE transfers SET state = 'active', position = ?, others = max(0, (
             SELECT count(DISTINCT substr(path, 1, instr(path || '/', '/') - 1)) FROM items WHERE transfer_id = ?2
           ) - 1) WHERE id = ?2 AND state = 'collecting'`,
        )
        return Number(begun.run(nextPosition(), id).changes) > 0
      }),
    discard: (id: string) =>
      void db.prepare("DELETE FROM transfers WHERE id = ? AND state = 'collecting'").run(id),
  }
}

function stopping({ db, together, change, one, endItems }: QueueFile) {
  return {
    cancelItems: (id: string) => together(() => endItems(id, { state: 'cancelled' })),
    answer: (transferId: string, itemId: number, choice: Choice, forAll: boolean) =>
      together(() => {
        db.prepare(
          `UPDATE items SET state = 'waiting', choice = ? WHERE transfer_id = ? AND state = 'asking'
           AND (id = ? OR ?)`,
        ).run(choice, transferId, itemId, forAll ? 1 : 0)
        if (forAll) change('transfers', transferId, { choice })
      }),
    /** Files missing from their page are awaited, or stay failed with `gone`. Returns how many wait again. */
    again: (transferId: string, gone: Problem | null) =>
      together(() => {
        const hasEnded = (one(transferId)?.endedAt ?? null) !== null
        const stuck = `transfer_id = ? AND (state = 'failed'${hasEnded ? ` OR ${unended}` : ''})`
        const never = `${stuck} AND kind = 'file' AND source = ''`
        const rest = `UPDATE items SET state = 'waiting', problem = NULL, tries = 0, changes = 0
          WHERE ${stuck} AND NOT (kind = 'file' AND source = '')`
        const waiting = Number(db.prepare(rest).run(transferId).changes)
        if (gone) {
          const why = JSON.stringify(gone)
          const failed = `UPDATE items SET state = 'failed', problem = ? WHERE ${never}`
          db.prepare(failed).run(why, transferId)
          return waiting
        }
        const gathering = `UPDATE items SET state = 'gathering', problem = NULL, tries = 0, changes = 0
          WHERE ${never}`
        return waiting + Number(db.prepare(gathering).run(transferId).changes)
      }),
    /** On startup: running items wait, awaited files fail, and incomplete transfers are removed. */
    recover: (lost: Problem) =>
      together(() => {
        db.prepare("DELETE FROM transfers WHERE state = 'collecting'").run()
        db.prepare(
          `UPDATE items SET state = 'failed', problem = ? WHERE state = 'gathering'
           OR kind = 'file' AND source = '' AND state IN ('waiting', 'running', 'asking')`,
        ).run(JSON.stringify(lost))
        db.prepare("UPDATE items SET state = 'waiting' WHERE state = 'running'").run()
      }),
    clear: (ids: readonly string[]) => {
      const given = 'id IN (SELECT value FROM json_each(?))'
      db.prepare(`DELETE FROM transfers WHERE ended_at IS NOT NULL AND ${given}`).run(JSON.stringify(ids))
    },
    wipe(connectionId: string) {
      const ids = db
        .prepare('SELECT id FROM transfers WHERE connection_id = ?1 OR from_connection_id = ?1')
        .all(connectionId) as { id: string }[]
      wipeRows(db, { connectionId })
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return ids.map(({ id }) => id)
    },
  }
}
