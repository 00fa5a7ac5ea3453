import type { Problem } from '../../../contract/bridge/problem.ts'
import type { TransferItem, TransferKind } from '../../../contract/bridge/transfer-values.ts'

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
  | 'folder'
  | 'page'
  | 'createdAt'
>
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
