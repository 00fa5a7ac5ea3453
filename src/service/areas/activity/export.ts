import type { EntryPosition, EntryRow } from '../../store/activity.ts'
import { Yielder } from '../../base/yield.ts'
import type { RequestContext } from '../../http/serve.ts'
import type { ActivityEntryInput } from './routes.ts'

const STEP = 500
const FIRST: EntryPosition = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

type Format = 'csv' | 'json'
const TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json',
}

/** Streamed in pieces, so that long logs are never in memory. */
export function exportOf(
  c: RequestContext,
  format: Format,
  read: (before: EntryPosition, limit: number) => EntryRow[],
  shown: (row: EntryRow) => ActivityEntryInput,
): Response {
  const write = format === 'csv' ? csv : json
  const yielder = new Yielder()
  let before: EntryPosition = FIRST
  let begun = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await yielder.turn()
      const rows = read(before, STEP)
      const last = rows.at(-1)
      const piece = write(rows.map(shown), { isFirst: !begun, isLast: rows.length < STEP })
      begun = true
      controller.enqueue(new TextEncoder().encode(piece))
      if (last && rows.length === STEP) before = last
      else controller.close()
    },
  })
  c.header('Content-Type', TYPES[format])
  c.header('Content-Disposition', `attachment; filename="activity.${format}"`)
  return c.body(body)
}

interface Piece {
  isFirst: boolean
  isLast: boolean
}

function json(entries: readonly ActivityEntryInput[], { isFirst, isLast }: Piece): string {
  const items = entries.map((entry) => JSON.stringify(entry)).join(',\n')
  return `${isFirst ? '[\n' : entries.length > 0 ? ',\n' : ''}${items}${isLast ? '\n]\n' : ''}`
}

const COLUMNS = [
  'at',
  'actor',
  'actorId',
  'action',
  'target',
  'count',
  'times',
  'result',
  'reason',
  'address',
] as const

function csv(entries: readonly ActivityEntryInput[], { isFirst }: Piece): string {
  const lines = entries.map((entry) => COLUMNS.map((column) => cell(valueOf(entry, column))).join(','))
  // Byte order mark: without it, Excel does not detect UTF-8.
  const head = isFirst ? [`\uFEFF${COLUMNS.join(',')}`] : []
  return [...head, ...lines].map((line) => `${line}\r\n`).join('')
}

type Cell = string | number | null | undefined

function valueOf(entry: ActivityEntryInput, column: (typeof COLUMNS)[number]): Cell {
  switch (column) {
    case 'actor':
      return entry.actor?.service ? '' : entry.actor?.name
    case 'actorId':
      return entry.actor?.id
    case 'target':
      return entry.targets?.join('; ') ?? entry.target
    default:
      return entry[column]
  }
}

/** RFC 4180. Escapes text that spreadsheets would run as a formula. */
function cell(value: Cell): string {
  const text = value === null || value === undefined ? '' : String(value)
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n;]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
