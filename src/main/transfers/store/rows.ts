import type { Problem } from '../../../contract/bridge/problem.ts'
import type { TransferItem, TransferKind } from '../../../contract/bridge/transfer-values.ts'

export type Choice = 'replace' | 'keep-both' | 'skip'
/** What is stored of a transfer's state; the rest follows from its items and from what runs. */
export type StoredState = 'active' | 'paused' | 'done' | 'failed' | 'cancelled'

/** A transfer with the counts of its items. Sizes in bytes, times ISO 8601. */
export interface TransferRow {
  id: string
  kind: TransferKind
  state: StoredState
  position: number
  name: string
  /** Files and folders that were picked beside the one that gives the name. */
  others: number
  connectionId: string
  serverId: string
  fromConnectionId: string | null
  fromServerId: string | null
  /** Folder of the server it goes to, or of this computer for a download. */
  folder: string
  /** What a person said for all names that are taken. */
  choice: Choice | null
  /** The page of the browser whose files still come. */
  page: string | null
  problem: Problem | null
  createdAt: string
  endedAt: string | null
  files: number
  done: number
  failed: number
  skipped: number
  gathering: number
  /** Items of every kind that wait or run. */
  open: number
  asking: number
  bytes: number
  bytesDone: number
  /** Bytes of items that are not ended yet. */
  bytesLeft: number
}

/** One file or folder. Times in ms since 1970. */
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
  /** Where it begins in its source, in bytes; null where that is its own. */
  sourceAt: number | null
  target: string
  resume: string | null
  etag: string | null
  choice: Choice | null
  sent: boolean
  /** Tries that failed since more bytes than `reached` were agreed. */
  tries: number
  /** Tries that ended because the source changed. */
  changes: number
  /** Bytes; of a folder that could not be listed whole, how many of its entries have become items. */
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
  /** What a person said beforehand of a name that is taken. */
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

/** Which small files go together in one request. Null where the service takes no batches. */
export interface BatchSize {
  maxFiles: number
  maxBytes: number
  /** Largest file that is small. */
  smallBytes: number
}
