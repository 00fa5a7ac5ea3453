import type { QueueFile } from './queue-file.ts'
import type { NewItem, NewTransfer } from './rows.ts'

/** Builds a transfer from pages of items. Until complete it is invisible and idle, and removed on the next start. */
export function collectMethods({ db, together, insert, insertTransfer, nextPosition }: QueueFile) {
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
