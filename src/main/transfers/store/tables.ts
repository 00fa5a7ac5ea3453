import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { transaction } from '../../../computer/kept-database.ts'
import type { Problem } from '../../../contract/bridge/problem.ts'
import { storedJson } from '../../databases/stored-json.ts'
import { wipeRows } from '../../databases/wipe-rows.ts'
import type {
  BatchSize,
  Choice,
  ItemChange,
  ItemRow,
  NewItem,
  NewTransfer,
  TransferChange,
  TransferRow,
} from './rows.ts'

/** Ended transfers kept as history. */
const HISTORY_MOST = 200

const transferColumns = `id, kind, state, position, name, others, connection_id AS connectionId, server_id AS serverId,
  from_connection_id AS fromConnectionId, from_server_id AS fromServerId, folder, choice, page, problem,
  created_at AS createdAt, ended_at AS endedAt, files, done, failed, skipped, gathering, open, asking, bytes,
  bytes_done AS bytesDone, bytes_left AS bytesLeft`
const itemColumns = `id, transfer_id AS transferId, path, kind, size, modified_at AS modifiedAt, state,
  bytes_done AS bytesDone, source, target, resume, etag, choice, sent, tries, changes, reached,
  final_path AS finalPath, problem`

const parsed = (text: unknown) => storedJson(text as string | null) as Problem | null
const transferOf = (row: unknown): TransferRow => {
  const raw = row as TransferRow
  return { ...raw, problem: parsed(raw.problem) }
}
const itemOf = (row: unknown): ItemRow => {
  const raw = row as ItemRow
  return { ...raw, sent: Boolean(raw.sent), problem: parsed(raw.problem) }
}

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const valueOf = (value: unknown): SQLInputValue => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' ? JSON.stringify(value) : (value as SQLInputValue)
}

/** Items that are not ended. */
const unended = "state IN ('waiting', 'running', 'asking', 'gathering')"

/** What was begun of an item and not finished: an upload at the service, or a part on this computer. */
const begun = `kind = 'file' AND state <> 'done' AND (resume IS NOT NULL OR bytes_done > 0 OR etag IS NOT NULL
  AND (SELECT whole.kind FROM transfers AS whole WHERE whole.id = transfer_id) = 'download')`

/** How many were picked beside the first: a tree is one, whatever it contains. */
const othersOf = (items: readonly NewItem[]) =>
  Math.max(0, new Set(items.map(({ path }) => path.split('/', 1)[0])).size - 1)

/** What is changed, as SQL and its values. */
function assigned(values: object): { set: string; given: SQLInputValue[] } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return {
    set: entries.map(([name]) => `${columnOf(name)} = ?`).join(', '),
    given: entries.map(([, value]) => valueOf(value)),
  }
}

/** Everything the queue's file can do, inside its worker thread. */
export function createTables(db: DatabaseSync) {
  const together = <T>(work: () => T): T => transaction(db, work)
  /** Changes come by the thousand, and few kinds of them. */
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const change = (table: 'transfers' | 'items', id: string | number, values: object) => {
    const { set, given } = assigned(values)
    if (set !== '') prepared(`UPDATE ${table} SET ${set} WHERE id = ?`).run(...given, id)
  }
  /**
   * Ends every item that is not ended. There may be hundreds of thousands, and counting them one by one
   * would take ten times as long as changing them: nothing of these is left to count, so the trigger rests meanwhile.
   */
  const endItems = (id: string, values: { state: 'failed' | 'cancelled'; problem?: Problem }) => {
    const found = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'item_changed'").get()
    const { set, given } = assigned(values)
    db.exec('DROP TRIGGER item_changed')
    const update = `UPDATE items SET ${set} WHERE transfer_id = ? AND ${unended}`
    const ended = Number(db.prepare(update).run(...given, id).changes)
    db.prepare(
      `UPDATE transfers SET open = 0, asking = 0, gathering = 0, bytes_left = 0, failed = failed + ? WHERE id = ?`,
    ).run(values.state === 'failed' ? ended : 0, id)
    db.exec((found as { sql: string }).sql)
  }
  const insertItem = db.prepare(
    `INSERT INTO items (transfer_id, path, kind, size, modified_at, source, target, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insert = (transferId: string, items: readonly NewItem[]) =>
    items.map((item) => {
      const { path, kind, size, modifiedAt, source, target, state } = item
      return Number(
        insertItem.run(transferId, path, kind, size, modifiedAt, source, target, state).lastInsertRowid,
      )
    })
  const one = (id: string) => {
    const row = db.prepare(`SELECT ${transferColumns} FROM transfers WHERE id = ?`).get(id)
    return row ? transferOf(row) : null
  }
  /** What has begun something stays: without it nobody would find that again to remove it. */
  const trim = () =>
    db
      .prepare(
        `DELETE FROM transfers WHERE ended_at IS NOT NULL AND id NOT IN
         (SELECT id FROM transfers WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT ?)
         AND NOT EXISTS (SELECT 1 FROM items WHERE transfer_id = transfers.id AND ${begun})`,
      )
      .run(HISTORY_MOST)

  return {
    /** Adds a transfer behind the others; answers the ids of its items, in their order. */
    add: (transfer: NewTransfer, items: NewItem[]) =>
      together(() => {
        const { last } = db.prepare('SELECT coalesce(max(position), 0) AS last FROM transfers').get() as {
          last: number
        }
        db.prepare(
          `INSERT INTO transfers (id, kind, state, position, name, others, connection_id, server_id,
           from_connection_id, from_server_id, folder, page, created_at)
           VALUES (?, ?, 'active', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          ...[transfer.id, transfer.kind, last + 1, transfer.name, othersOf(items)],
          ...[transfer.connectionId, transfer.serverId, transfer.fromConnectionId, transfer.fromServerId],
          ...[transfer.folder, transfer.page, transfer.createdAt],
        )
        return insert(transfer.id, items)
      }),
    /** What a folder was found to hold, together with the change of that folder itself: both or neither. */
    expand: (item: { id: number; transferId: string }, items: NewItem[], now: ItemChange) =>
      together(() => {
        insert(item.transferId, items)
        change('items', item.id, now)
      }),
    /** Those that are not ended in their order, then the ended ones, newest first. */
    all: () =>
      db
        .prepare(
          `SELECT ${transferColumns} FROM transfers
           ORDER BY ended_at IS NOT NULL, iif(ended_at IS NULL, position, 0), ended_at DESC`,
        )
        .all()
        .map(transferOf),
    /** Those that are not ended, in their order. */
    active: () =>
      db
        .prepare(`SELECT ${transferColumns} FROM transfers WHERE ended_at IS NULL ORDER BY position`)
        .all()
        .map(transferOf),
    one,
    item: (id: number) => {
      const row = db.prepare(`SELECT ${itemColumns} FROM items WHERE id = ?`).get(id)
      return row ? itemOf(row) : null
    },
    /** Several, in the order of their ids; null for those that are not there. */
    itemsOf: (ids: readonly number[]) => {
      const statement = prepared(`SELECT ${itemColumns} FROM items WHERE id = ?`)
      return ids.map((id) => {
        const row = statement.get(id)
        return row ? itemOf(row) : null
      })
    },
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
        return taken.map((item): ItemRow => ({ ...item, state: 'running', choice: item.choice ?? choice }))
      }),
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
    /** Cancels all of a transfer that is not ended. */
    cancelItems: (id: string) => together(() => endItems(id, { state: 'cancelled' })),
    changeItem: (id: number, values: ItemChange) => change('items', id, values),
    changeItems: (changes: { id: number; values: ItemChange }[]) =>
      together(() => {
        for (const { id, values } of changes) change('items', id, values)
      }),
    /** A page's file begins to come: it can be sent meanwhile. */
    coming: (id: number) =>
      void db.prepare("UPDATE items SET state = 'waiting' WHERE id = ? AND state = 'gathering'").run(id),
    /** Files of a page are whole, each here: what had not begun to be sent waits for that. */
    came: (items: { id: number; source: string; modifiedAt: number | null }[]) =>
      together(() => {
        const here = db.prepare(
          `UPDATE items SET source = ?, modified_at = ?, state = iif(state = 'gathering', 'waiting', state)
           WHERE id = ? AND state <> 'cancelled'`,
        )
        for (const { id, source, modifiedAt } of items) here.run(source, modifiedAt, id)
      }),
    /** A page's file stopped coming: it is awaited anew, unless it is whole or has ended. */
    gather: (id: number) =>
      void db
        .prepare(
          `UPDATE items SET state = iif(source = '', 'gathering', 'waiting') WHERE id = ? AND kind = 'file'
           AND state IN ('waiting', 'running')`,
        )
        .run(id),
    /** What a page has not brought will not come: these items of a transfer, or all but these. */
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
    /**
     * What failed waits again, and what was left open in a transfer that has ended; answers how many. Files whose bytes
     * never came from their page are awaited from it, or, where it is gone, stay failed for that reason.
     */
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
    /** Items that failed first, then as they were given. */
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
    /** Files that a service accepts at no size of theirs. */
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
    /** Items with something begun and not finished: an upload at the service, or a part on this computer. */
    begun: (transferId: string) =>
      db
        .prepare(`SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND ${begun}`)
        .all(transferId)
        .map(itemOf),
    answer: (transferId: string, itemId: number, choice: Choice, forAll: boolean) =>
      together(() => {
        db.prepare(
          `UPDATE items SET state = 'waiting', choice = ? WHERE transfer_id = ? AND state = 'asking'
           AND (id = ? OR ?)`,
        ).run(choice, transferId, itemId, forAll ? 1 : 0)
        if (forAll) change('transfers', transferId, { choice })
      }),
    /** After a start: what ran waits again, what the page still had to send cannot come any more. */
    recover: (lost: Problem) =>
      together(() => {
        db.prepare(
          `UPDATE items SET state = 'failed', problem = ? WHERE state = 'gathering'
           OR kind = 'file' AND source = '' AND state IN ('waiting', 'running', 'asking')`,
        ).run(JSON.stringify(lost))
        db.prepare("UPDATE items SET state = 'waiting' WHERE state = 'running'").run()
      }),
    /** Takes ended transfers out of the history. */
    clear: (ids: readonly string[]) => {
      const given = 'id IN (SELECT value FROM json_each(?))'
      db.prepare(`DELETE FROM transfers WHERE ended_at IS NOT NULL AND ${given}`).run(JSON.stringify(ids))
    },
    /** Forgets every transfer of a connection; answers their ids. */
    wipe(connectionId: string) {
      const ids = db
        .prepare('SELECT id FROM transfers WHERE connection_id = ?1 OR from_connection_id = ?1')
        .all(connectionId) as { id: string }[]
      wipeRows(db, { connectionId })
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return ids.map(({ id }) => id)
    },
    readSetting: (name: string) =>
      (db.prepare('SELECT value FROM settings WHERE name = ?').get(name) as { value: string } | undefined)
        ?.value ?? null,
    writeSetting: (name: string, value: string) =>
      void db
        .prepare(
          'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        )
        .run(name, value),
    /** Lets go of what is not needed while nobody asks for anything. */
    rest: () => db.exec('PRAGMA shrink_memory'),
  }
}
