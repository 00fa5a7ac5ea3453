import type { Problem } from './problem.ts'
import type { ServerRef } from './values.ts'

/** A side of a transfer, by words that people know. */
export type TransferKind = 'upload' | 'download' | 'copy'

export type TransferState =
  /** Files still come from the page (the browser's way in); those that are here are sent already. */
  | 'gathering'
  | 'waiting'
  | 'running'
  | 'paused'
  /** A name is taken and nobody has said what to do. */
  | 'asking'
  /** The service cannot be reached; it goes on by itself. */
  | 'offline'
  | 'done'
  /** Ended, and some or all of it failed. */
  | 'failed'
  | 'cancelled'

/** One drop, download or copy: a file, or a tree of them. Sizes in bytes, rates in bytes per second. */
export interface Transfer {
  id: string
  kind: TransferKind
  state: TransferState
  /** The name of the file or folder; of several that were picked together, of the first. */
  name: string
  /** How many were picked beside that one. */
  others: number
  /** The server it comes from or goes to; of a copy, where it goes. */
  server: ServerRef
  /** Of a copy: where it comes from. */
  from: ServerRef | null
  /** Folder of the server, or of this computer for a download. */
  folder: string
  files: number
  filesDone: number
  filesFailed: number
  filesSkipped: number
  bytes: number
  /** Bytes the receiving side has confirmed. */
  bytesDone: number
  /** Over the last seconds; null while nothing moves. */
  rate: number | null
  /** Seconds; null where nobody can say. */
  secondsLeft: number | null
  /** Why it waits or failed as a whole. */
  problem: Problem | null
  /** The file that is asked about, in state `asking`. */
  asking: {
    itemId: string
    path: string
    size: number
    theirs: { size: number | null; modifiedAt: string | null }
  } | null
  createdAt: string
  endedAt: string | null
}

/** One file or folder of a transfer. */
export interface TransferItem {
  id: string
  /** Relative to the transfer's folder. */
  path: string
  kind: 'file' | 'folder'
  size: number
  bytesDone: number
  /** Bytes per second over the last seconds; null while nothing of it moves. */
  rate: number | null
  /** Seconds; null where nobody can say. */
  secondsLeft: number | null
  state: 'gathering' | 'waiting' | 'running' | 'asking' | 'done' | 'skipped' | 'failed' | 'cancelled'
  /** Where it came to be, where that differs from `path` (keep both). */
  finalPath: string | null
  problem: Problem | null
}

export interface Transfers {
  /** Those that run or wait first, in their order, then history, newest first. */
  items: Transfer[]
  /** Bytes per second for all together; null for no limit. */
  limit: number | null
  /** How many files move at once. */
  atOnce: number
}
