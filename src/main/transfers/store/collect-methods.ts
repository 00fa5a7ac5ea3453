import type { QueueFile } from './queue-file.ts'
import type { NewItem, NewTransfer } from './rows.ts'

/**
 * How a transfer comes to be whose items are handed over in pages: it is known with all of them, or never was. Until then
 * nobody is told of it, nothing of it moves, and what a panel that ended had begun of it goes at the next start.
 */
export function collectMethods({ db, together, insert, insertTransfer, nextPosition }: QueueFile) {
  const isCollecting = (id: string) =>
    db.prepare("SELECT 1 FROM transfers WHERE id = ? AND state = 'collecting'").get(id) !== undefined
  return {
    collect: (transfer: NewTransfer) => insertTransfer(transfer, { state: 'collecting', others: 0 }),
    /** More of its items; false where it is gone, since its connection was forgotten. */
    collected: (id: string, items: NewItem[]) =>
      together(() => {
        if (!isCollecting(id)) return false
        insert(id, items)
        return true
      }),
    /** All of it is there: it stands behind the others, and may begin. False where it is gone. */
    begin: (id: string) =>
      together(() => {
        const begun = db.prepare(
          `UPDATE transfers SET state = 'active', position = ?, others = max(0, (
             SELECT count(DISTINCT substr(path, 1, instr(path || '/', '/') - 1)) FROM items WHERE transfer_id = ?2
           ) - 1) WHERE id = ?2 AND state = 'collecting'`,
        )
        return Number(begun.run(nextPosition(), id).changes) > 0
      }),
    /** It will not be complete. */
    discard: (id: string) =>
      void db.prepare("DELETE FROM transfers WHERE id = ? AND state = 'collecting'").run(id),
  }
}
