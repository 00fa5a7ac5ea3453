type Text = string | null | undefined

/** An entry of a log, as far as a table has columns for it. */
interface Entry {
  at?: Text
  actor?: { id?: Text; name?: Text; service?: boolean | null | undefined } | null | undefined
  action: string
  target?: Text
  targets?: readonly string[] | null | undefined
  count?: number | null | undefined
  times?: number | null | undefined
  result?: Text
  reason?: Text
  address?: Text
}

export interface ActivityFilePiece {
  isFirst: boolean
  isLast: boolean
}

/** A piece of a log as a file: these entries, as JSON. */
export function activityJson(entries: readonly Entry[], { isFirst, isLast }: ActivityFilePiece): string {
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

/** The same as CSV. */
export function activityCsv(entries: readonly Entry[], { isFirst }: ActivityFilePiece): string {
  const lines = entries.map((entry) => COLUMNS.map((column) => cell(valueOf(entry, column))).join(','))
  // Byte order mark: without it, Excel does not detect UTF-8.
  const head = isFirst ? [`\uFEFF${COLUMNS.join(',')}`] : []
  return [...head, ...lines].map((line) => `${line}\r\n`).join('')
}

type Cell = string | number | null | undefined

function valueOf(entry: Entry, column: (typeof COLUMNS)[number]): Cell {
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
