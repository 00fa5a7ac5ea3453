import type { Problem } from '../../../contract/bridge/problem.ts'
import type { QueueFile } from './queue-file.ts'
import type { ItemRow } from './rows.ts'

export function pageMethods({ db, together, prepared }: QueueFile) {
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
