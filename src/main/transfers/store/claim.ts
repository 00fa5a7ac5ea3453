import type { QueueFile } from './queue-file.ts'
import type { BatchSize, ItemRow } from './rows.ts'
import { itemColumns, itemOf } from './rows-in-sql.ts'

export function claimMethods({ db, together, one }: QueueFile) {
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
