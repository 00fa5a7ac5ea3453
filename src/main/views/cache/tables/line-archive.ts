import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { LineBatch } from '../../../../contract/bridge/values.ts'
import { storedJson } from '../../../storage/stored-json.ts'
import type { LineId } from '../../../../contract/rules/line-ids.ts'

/** Per row. Larger rows are rewritten more often, smaller ones cost more to find. */
const CHUNK_LINES = 1000
const CHUNK_CHARACTERS = 1024 * 1024
/** Per server, oldest chunks dropped first. Typically about 20 MB. */
const KEPT = { lines: 200_000, bytes: 64 * 1024 * 1024 }

interface Row {
  epoch_order: number
  first_seq: number
  last_seq: number
  epoch: string
  body: string
}

type Columns = Pick<LineBatch, 'times' | 'texts' | 'sources'>

interface OpenBatch {
  connectionId: string
  serverId: string
  order: number
  batch: LineBatch
  characters: number
}

/** Console lines seen by this computer, with gaps while the panel was closed. `flush` writes open chunks. */
export class LineArchive {
  readonly #open = new Map<string, OpenBatch>()
  readonly #unchecked = new Map<string, { lines: number; characters: number }>()
  readonly #db: DatabaseSync
  readonly #put: StatementSync
  readonly #older: StatementSync
  readonly #newer: StatementSync
  readonly #kept: typeof KEPT

  constructor(db: DatabaseSync, kept = KEPT) {
    this.#db = db
    this.#kept = kept
    this.#put = db.prepare(
      `INSERT INTO lines (connection_id, server_id, epoch_order, first_seq, last_seq, epoch, body)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET last_seq = excluded.last_seq, body = excluded.body
       WHERE excluded.last_seq >= last_seq`,
    )
    const columns = 'SELECT epoch_order, first_seq, last_seq, epoch, body FROM lines'
    this.#older = db.prepare(
      `${columns} WHERE connection_id = ? AND server_id = ? AND (epoch_order, first_seq) < (?, ?)
       ORDER BY epoch_order DESC, first_seq DESC LIMIT 1`,
    )
    this.#newer = db.prepare(
      `${columns} WHERE connection_id = ? AND server_id = ? AND (epoch_order, last_seq) > (?, ?)
       ORDER BY epoch_order, first_seq LIMIT 1`,
    )
  }

  /** Skips lines already stored. */
  append(connectionId: string, serverId: string, batch: LineBatch): void {
    const key = `${connectionId}\n${serverId}`
    const order = this.#order(connectionId, serverId, batch.epoch)
    for (let at = 0; at < batch.texts.length;) {
      let open = this.#open.get(key)
      const next = open ? open.batch.firstSeq + open.batch.texts.length : -1
      const seq = batch.firstSeq + at
      if (open && open.order === order && seq < next && seq >= open.batch.firstSeq) {
        at += Math.min(next - seq, batch.texts.length - at)
        continue
      }
      if (!open || open.order !== order || seq !== next || isFull(open)) {
        if (open) this.#write(open)
        open = { connectionId, serverId, order, batch: emptyBatch(batch.epoch, seq), characters: 0 }
        this.#open.set(key, open)
      }
      const from = at
      do open.characters += batch.texts[at++]?.length ?? 0
      while (at < batch.texts.length && !isFull(open, at - from))
      addLines(open.batch, batch, from, at)
    }
  }

  /** The last `limit` lines before `before` (or the newest), oldest first, without a gap. */
  before(connectionId: string, serverId: string, before: LineId | null, limit: number): LineBatch[] {
    this.flush()
    const order = before ? this.#order(connectionId, serverId, before.epoch) : Number.MAX_SAFE_INTEGER
    let edge = { order, seq: before ? before.seq : Number.MAX_SAFE_INTEGER }
    const found: LineBatch[] = []
    for (let left = limit; left > 0;) {
      const row = this.#older.get(connectionId, serverId, edge.order, edge.seq) as Row | undefined
      if (!row) break
      const first = found.length === 0 && before === null
      const holds = row.epoch_order === edge.order && row.last_seq >= edge.seq - 1
      if (!first && !holds) break
      const batch = toBatch(row)
      const end = first ? batch.texts.length : Math.min(batch.texts.length, edge.seq - row.first_seq)
      const start = Math.max(0, end - left)
      if (end > start) found.unshift(slice(batch, start, end))
      left -= end - start
      edge = { order: row.epoch_order, seq: row.first_seq }
    }
    return found
  }

  /** The first `limit` lines after `after`, without a gap before or among them. */
  after(connectionId: string, serverId: string, after: LineId, limit: number): LineBatch[] {
    this.flush()
    const order = this.#order(connectionId, serverId, after.epoch)
    const found: LineBatch[] = []
    let seq = after.seq
    for (let left = limit; left > 0;) {
      const row = this.#newer.get(connectionId, serverId, order, seq) as Row | undefined
      if (!row || row.epoch_order !== order || row.first_seq > seq + 1) break
      const batch = toBatch(row)
      const start = seq + 1 - row.first_seq
      const end = Math.min(batch.texts.length, start + left)
      found.push(slice(batch, start, end))
      left -= end - start
      seq = row.first_seq + end - 1
    }
    return found
  }

  /** The id of the next older (`before`) or newer (`after`) line, across gaps. */
  neighbor(
    connectionId: string,
    serverId: string,
    where: { before: LineId } | { after: LineId },
  ): LineId | null {
    this.flush()
    if ('before' in where) {
      const order = this.#order(connectionId, serverId, where.before.epoch)
      const row = this.#older.get(connectionId, serverId, order, where.before.seq) as Row | undefined
      if (!row) return null
      const inside = row.epoch_order === order && row.last_seq >= where.before.seq
      return { epoch: row.epoch, seq: inside ? where.before.seq - 1 : row.last_seq }
    }
    const { epoch, seq } = where.after
    const order = this.#order(connectionId, serverId, epoch)
    const row = this.#newer.get(connectionId, serverId, order, seq) as Row | undefined
    if (!row) return null
    return {
      epoch: row.epoch,
      seq: row.epoch_order === order ? Math.max(row.first_seq, seq + 1) : row.first_seq,
    }
  }

  last(connectionId: string, serverId: string): LineId | null {
    const [batch] = this.before(connectionId, serverId, null, 1)
    return batch ? { epoch: batch.epoch, seq: batch.firstSeq } : null
  }

  flush(): void {
    for (const open of this.#open.values()) this.#write(open)
  }

  forget(connectionId: string): void {
    for (const [key, open] of this.#open) if (open.connectionId === connectionId) this.#open.delete(key)
  }

  #write(open: OpenBatch & { written?: { lines: number; characters: number } }): void {
    const { batch } = open
    if (open.written?.lines === batch.texts.length) return
    const body: Columns = { times: batch.times, texts: batch.texts, sources: batch.sources }
    const last = batch.firstSeq + batch.texts.length - 1
    const { connectionId, serverId } = open
    this.#put.run(connectionId, serverId, open.order, batch.firstSeq, last, batch.epoch, JSON.stringify(body))
    const key = `${connectionId}\n${serverId}`
    const { lines, characters } = this.#unchecked.get(key) ?? { lines: 0, characters: 0 }
    const now = {
      lines: lines + batch.texts.length - (open.written?.lines ?? 0),
      characters: characters + open.characters - (open.written?.characters ?? 0),
    }
    open.written = { lines: batch.texts.length, characters: open.characters }
    const isDue = now.lines > CHUNK_LINES * 10 || now.characters > CHUNK_CHARACTERS * 10
    this.#unchecked.set(key, isDue ? { lines: 0, characters: 0 } : now)
    if (isDue) this.#trim(connectionId, serverId)
  }

  #trim(connectionId: string, serverId: string): void {
    const rows = this.#db
      .prepare(
        `SELECT epoch_order, first_seq, last_seq, octet_length(body) AS bytes FROM lines WHERE connection_id = ? AND server_id = ?
         ORDER BY epoch_order DESC, first_seq DESC`,
      )
      .all(connectionId, serverId) as unknown as (Row & { bytes: number })[]
    const kept = { lines: 0, bytes: 0 }
    for (const row of rows) {
      kept.lines += row.last_seq - row.first_seq + 1
      kept.bytes += row.bytes
      if (kept.lines <= this.#kept.lines && kept.bytes <= this.#kept.bytes) continue
      this.#db
        .prepare(
          'DELETE FROM lines WHERE connection_id = ? AND server_id = ? AND (epoch_order, first_seq) <= (?, ?)',
        )
        .run(connectionId, serverId, row.epoch_order, row.first_seq)
      return
    }
  }

  /** Orders epochs by number, else by when they were first seen. */
  #order(connectionId: string, serverId: string, epoch: string): number {
    const number = Number(epoch)
    if (Number.isSafeInteger(number) && number >= 0) return number
    for (const open of this.#open.values())
      if (open.connectionId === connectionId && open.serverId === serverId && open.batch.epoch === epoch)
        return open.order
    const seen = this.#db
      .prepare(
        'SELECT epoch_order FROM lines WHERE connection_id = ? AND server_id = ? AND epoch = ? LIMIT 1',
      )
      .get(connectionId, serverId, epoch) as { epoch_order: number } | undefined
    if (seen) return seen.epoch_order
    this.flush()
    const last = this.#db
      .prepare('SELECT max(epoch_order) AS top FROM lines WHERE connection_id = ? AND server_id = ?')
      .get(connectionId, serverId) as { top: number | null }
    return (last.top ?? 0) + 1
  }
}

const isFull = ({ batch, characters }: OpenBatch, more = 0): boolean =>
  batch.texts.length + more >= CHUNK_LINES || characters >= CHUNK_CHARACTERS

function emptyBatch(epoch: string, firstSeq: number): LineBatch {
  return { epoch, firstSeq, times: [], texts: [], sources: {} }
}

function addLines(to: LineBatch, from: LineBatch, start: number, end: number): void {
  const offset = to.texts.length - start
  for (let at = start; at < end; at++) {
    to.times.push(from.times[at] ?? 0)
    to.texts.push(from.texts[at] ?? '')
  }
  for (const [at, source] of Object.entries(from.sources))
    if (Number(at) >= start && Number(at) < end) to.sources[Number(at) + offset] = source
}

function slice(batch: LineBatch, start: number, end: number): LineBatch {
  if (start === 0 && end === batch.texts.length) return batch
  const part = emptyBatch(batch.epoch, batch.firstSeq + start)
  addLines(part, batch, start, end)
  return part
}

function toBatch(row: Row): LineBatch {
  const count = row.last_seq - row.first_seq + 1
  const body = storedJson(row.body) as Partial<Columns> | null
  const whole =
    body?.texts?.length === count && body.times?.length === count && body.sources instanceof Object
  return { epoch: row.epoch, firstSeq: row.first_seq, ...(whole ? (body as Columns) : unreadable(count)) }
}

/** Placeholders for damaged lines: a gap would be requested again and again. */
function unreadable(count: number): Columns {
  const sources: Columns['sources'] = {}
  for (let at = 0; at < count; at++) sources[at] = 'unreadable'
  return { times: Array<number>(count).fill(0), texts: Array<string>(count).fill(''), sources }
}
