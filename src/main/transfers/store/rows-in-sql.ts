import type { SQLInputValue } from 'node:sqlite'
import type { Problem } from '../../../contract/bridge/problem.ts'
import { storedJson } from '../../storage/stored-json.ts'
import type { ItemRow, NewItem, TransferRow } from './rows.ts'

export const transferColumns = `id, kind, state, position, name, others, connection_id AS connectionId, server_id AS serverId,
  from_connection_id AS fromConnectionId, from_server_id AS fromServerId, folder, choice, page, problem,
  created_at AS createdAt, ended_at AS endedAt, files, done, failed, skipped, gathering, open, asking, bytes,
  bytes_done AS bytesDone, bytes_left AS bytesLeft`
export const itemColumns = `id, transfer_id AS transferId, path, kind, size, modified_at AS modifiedAt, state,
  bytes_done AS bytesDone, source, source_at AS sourceAt, target, resume, etag, choice, sent, tries, changes, reached,
  final_path AS finalPath, problem`

const parsed = (text: unknown) => storedJson(text as string | null) as Problem | null
export const transferOf = (row: unknown): TransferRow => {
  const raw = row as TransferRow
  return { ...raw, problem: parsed(raw.problem) }
}
export const itemOf = (row: unknown): ItemRow => {
  // Modified in place: copying hundreds is slow.
  const item = row as ItemRow
  item.sent = Boolean(item.sent)
  item.problem = parsed(item.problem)
  return item
}

const columns = new Map<string, string>()
const columnOf = (name: string) => {
  const column = columns.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columns.set(name, column)
  return column
}
const valueOf = (value: unknown): SQLInputValue => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' ? JSON.stringify(value) : (value as SQLInputValue)
}

export const known = "state <> 'collecting'"

export const unended = "state IN ('waiting', 'running', 'asking', 'gathering')"

/** Unfinished: an upload at the service, or a part on this computer. */
export const begun = `kind = 'file' AND state <> 'done' AND (resume IS NOT NULL OR bytes_done > 0 OR etag IS NOT NULL
  AND (SELECT whole.kind FROM transfers AS whole WHERE whole.id = transfer_id) = 'download')`

/** Picked items besides the first; a tree counts as one. */
export const othersOf = (items: readonly NewItem[]) =>
  Math.max(0, new Set(items.map(({ path }) => path.split('/', 1)[0])).size - 1)

export function assigned(values: object): { set: string; given: SQLInputValue[] } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return {
    set: entries.map(([name]) => `${columnOf(name)} = ?`).join(', '),
    given: entries.map(([, value]) => valueOf(value)),
  }
}
