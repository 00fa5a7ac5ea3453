import type { QueueFile } from './queue-file.ts'
import type { BatchSize, ItemRow } from './rows.ts'
import { itemColumns, itemOf } from './rows-in-sql.ts'

/** How the next items are taken. */
export function claimMethods({ db, together, one }: QueueFile) {
  return {
    /**
     * Takes the next item, or the next small files that go together, out of the waiting ones; none of a transfer that was
     * paused or cancelled meanwhile. What a person chose for all is put into each. Not those that still move: a page's
     * file that broke off and comes again, or one that is tried again, waits until its last try has ended.
     */
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
          // These have a begun upload of their own, or an answer whose loss would double them.
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
