import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Problem } from '../../../contract/bridge/problem.ts'
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

const transferColumns = `id, kind, state, position, name, connection_id AS connectionId, server_id AS serverId,
  from_connection_id AS fromConnectionId, from_server_id AS fromServerId, folder, choice, page, problem,
  created_at AS createdAt, ended_at AS endedAt, files, done, failed, skipped, gathering, open, asking, bytes,
  bytes_done AS bytesDone, bytes_left AS bytesLeft`
const itemColumns = `id, transfer_id AS transferId, path, kind, size, modified_at AS modifiedAt, state,
  bytes_done AS bytesDone, source, target, resume, etag, choice, sent, tries, final_path AS finalPath, problem`

const parsed = (text: unknown) => (text === null ? null : (JSON.parse(text as string) as Problem))
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

/** Everything the queue's file can do, inside its worker thread. */
export function createTables(db: DatabaseSync) {
  const together = <T>(work: () => T): T => {
    db.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      db.exec('COMMIT')
      return value
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  const change = (table: 'transfers' | 'items', id: string | number, values: object) => {
    const entries = Object.entries(values).filter(([, value]) => value !== undefined)
    if (entries.length === 0) return
    const set = entries.map(([name]) => `${columnOf(name)} = ?`).join(', ')
    db.prepare(`UPDATE ${table} SET ${set} WHERE id = ?`).run(...entries.map(([, v]) => valueOf(v)), id)
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
  const trim = () =>
    db
      .prepare(
        `DELETE FROM transfers WHERE ended_at IS NOT NULL AND id NOT IN
         (SELECT id FROM transfers WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT ?)`,
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
          `INSERT INTO transfers (id, kind, state, position, name, connection_id, server_id, from_connection_id,
           from_server_id, folder, page, created_at) VALUES (?, ?, 'active', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          ...[transfer.id, transfer.kind, last + 1, transfer.name, transfer.connectionId, transfer.serverId],
          ...[transfer.fromConnectionId, transfer.fromServerId, transfer.folder, transfer.page],
          transfer.createdAt,
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
    /**
     * Takes the next item, or the next small files that go together, out of the waiting ones. What a person chose for
     * all is put into each.
     */
    claim: (transferId: string, batch: BatchSize | null) =>
      together(() => {
        const choice = one(transferId)?.choice ?? null
        const waiting = `SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND state = 'waiting'`
        const row = db.prepare(`${waiting} ORDER BY id LIMIT 1`).get(transferId)
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
            .all(transferId, batch.smallBytes, batch.maxFiles)
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
    /** A page's file stopped coming: it is awaited anew, unless it has ended. */
    gather: (id: number) =>
      void db
        .prepare(
          `UPDATE items SET state = 'gathering' WHERE id = ? AND kind = 'file' AND source = ''
           AND state IN ('waiting', 'running')`,
        )
        .run(id),
    /** What a page has not brought will not come; all of a transfer, or some items of it. */
    lose: (transferId: string, ids: readonly number[] | null, why: Problem) =>
      together(() => {
        const open = `transfer_id = ? AND kind = 'file' AND source = ''
          AND state IN ('gathering', 'waiting', 'running', 'asking')`
        const update = `UPDATE items SET state = 'failed', problem = ? WHERE ${open}`
        const text = JSON.stringify(why)
        if (ids === null) db.prepare(update).run(text, transferId)
        else for (const id of ids) db.prepare(`${update} AND id = ?`).run(text, transferId, id)
      }),
    /** Changes every item that stands in one of these states; answers how many. */
    changeWhere: (transferId: string, states: ItemRow['state'][], values: ItemChange) =>
      together(() => {
        const marks = states.map(() => '?').join(', ')
        const found = db
          .prepare(`SELECT id FROM items WHERE transfer_id = ? AND state IN (${marks})`)
          .all(transferId, ...states) as { id: number }[]
        for (const { id } of found) change('items', id, values)
        return found.length
      }),
    /**
     * What failed waits again; answers how many. Files whose bytes never came from their page are awaited from it, or,
     * where it is gone, stay failed for that reason.
     */
    again: (transferId: string, gone: Problem | null) =>
      together(() => {
        const failed = "transfer_id = ? AND state = 'failed'"
        const never = `${failed} AND kind = 'file' AND source = ''`
        const rest = `UPDATE items SET state = 'waiting', problem = NULL, tries = 0
          WHERE ${failed} AND NOT (kind = 'file' AND source = '')`
        const waiting = Number(db.prepare(rest).run(transferId).changes)
        if (gone) {
          const why = JSON.stringify(gone)
          db.prepare(`UPDATE items SET problem = ? WHERE ${never}`).run(why, transferId)
          return waiting
        }
        const gathering = `UPDATE items SET state = 'gathering', problem = NULL, tries = 0 WHERE ${never}`
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
    /** Items with something begun: an upload at the service, or a part on this computer. */
    begun: (transferId: string) =>
      db
        .prepare(
          `SELECT ${itemColumns} FROM items WHERE transfer_id = ? AND kind = 'file' AND state <> 'done'
           AND (resume IS NOT NULL OR bytes_done > 0)`,
        )
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
    clear: (id: string | null) => {
      if (id === null) db.prepare('DELETE FROM transfers WHERE ended_at IS NOT NULL').run()
      else db.prepare('DELETE FROM transfers WHERE ended_at IS NOT NULL AND id = ?').run(id)
    },
    /** Forgets every transfer of a connection; answers their ids. */
    wipe(connectionId: string) {
      const ids = db
        .prepare('DELETE FROM transfers WHERE connection_id = ?1 OR from_connection_id = ?1 RETURNING id')
        .all(connectionId) as { id: string }[]
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
    close: () => db.close(),
  }
}

export type Tables = ReturnType<typeof createTables>
