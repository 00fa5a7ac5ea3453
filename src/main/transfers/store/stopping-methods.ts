import type { Problem } from '../../../contract/bridge/problem.ts'
import { wipeRows } from '../../storage/wipe-rows.ts'
import type { QueueFile } from './queue-file.ts'
import type { Choice } from './rows.ts'
import { unended } from './rows-in-sql.ts'

export function stoppingMethods({ db, together, change, one, endItems }: QueueFile) {
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
