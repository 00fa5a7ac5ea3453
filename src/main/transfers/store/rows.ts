import { randomUUID } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import type { Problem } from '../../../contract/bridge/problem.ts'
import type { TransferItem, TransferKind } from '../../../contract/bridge/transfer-values.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'
import type { Clock } from '../../base/retry.ts'
import { storedJson } from '../../storage/stored-json.ts'

export type Choice = 'replace' | 'keep-both' | 'skip'
/** Stored state; the rest is derived from items and runs. */
export type StoredState = 'active' | 'paused' | 'done' | 'failed' | 'cancelled'

/** Sizes in bytes, times ISO 8601. */
export interface TransferRow {
  id: string
  kind: TransferKind
  state: StoredState
  position: number
  name: string
  /** Picked items besides the one in the name. */
  others: number
  connectionId: string
  serverId: string
  fromConnectionId: string | null
  fromServerId: string | null
  /** The backup that a download is from; null: the server's files. */
  backup: string | null
  /** Destination folder, local for a download. */
  folder: string
  choice: Choice | null
  page: string | null
  problem: Problem | null
  createdAt: string
  endedAt: string | null
  files: number
  done: number
  failed: number
  skipped: number
  gathering: number
  open: number
  asking: number
  bytes: number
  bytesDone: number
  bytesLeft: number
}

/** Times in ms since 1970. */
export interface ItemRow {
  id: number
  transferId: string
  path: string
  kind: 'file' | 'folder'
  size: number
  modifiedAt: number | null
  state: TransferItem['state']
  bytesDone: number
  source: string
  /** Offset in its source, in bytes; null if the source is the file itself. */
  sourceAt: number | null
  target: string
  resume: string | null
  etag: string | null
  choice: Choice | null
  sent: boolean
  /** Failed attempts since the last progress beyond `reached`. */
  tries: number
  /** Attempts that ended because the source changed. */
  changes: number
  /** Bytes; for a partially listed folder, entries already queued. */
  reached: number
  finalPath: string | null
  problem: Problem | null
}

export type NewTransfer = Pick<
  TransferRow,
  | 'id'
  | 'kind'
  | 'name'
  | 'connectionId'
  | 'serverId'
  | 'fromConnectionId'
  | 'fromServerId'
  | 'backup'
  | 'folder'
  | 'page'
  | 'createdAt'
> &
  Partial<Pick<TransferRow, 'choice'>>
export type NewItem = Pick<
  ItemRow,
  'path' | 'kind' | 'size' | 'modifiedAt' | 'source' | 'target' | 'state'
> & {
  choice?: Choice | null
}
export type ItemChange = Partial<
  Pick<
    ItemRow,
    | 'size'
    | 'modifiedAt'
    | 'state'
    | 'bytesDone'
    | 'source'
    | 'target'
    | 'resume'
    | 'etag'
    | 'choice'
    | 'sent'
    | 'tries'
    | 'changes'
    | 'reached'
    | 'finalPath'
    | 'problem'
  >
>
export type TransferChange = Partial<
  Pick<TransferRow, 'state' | 'position' | 'choice' | 'problem' | 'endedAt' | 'page'>
>

/** Null if the service doesn't accept batches. */
export interface BatchSize {
  maxFiles: number
  maxBytes: number
  smallBytes: number
}

/** Beside the database: files that a browser sends, until they are uploaded. */
export const UPLOAD_BUFFER = 'spool'

export function newTransfer(
  clock: Clock,
  kind: NewTransfer['kind'],
  { connectionId, serverId }: ServerRef,
  folder: string,
): NewTransfer {
  const createdAt = new Date(clock.now()).toISOString()
  const none = { fromConnectionId: null, fromServerId: null, backup: null, page: null }
  return { id: randomUUID(), kind, name: '', connectionId, serverId, folder, createdAt, ...none }
}

export const transferColumns = `id, kind, state, position, name, others, connection_id AS connectionId, server_id AS serverId,
  from_connection_id AS fromConnectionId, from_server_id AS fromServerId, backup, folder, choice, page, problem,
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
