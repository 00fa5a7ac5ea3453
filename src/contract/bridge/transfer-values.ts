import type { Problem } from './problem.ts'
import type { ServerRef } from './values.ts'

export type TransferKind = 'upload' | 'download' | 'copy'

export type TransferState =
  /** The page is still sending files (browser only); complete ones are already being uploaded. */
  | 'gathering'
  | 'waiting'
  | 'running'
  | 'paused'
  /** A name is taken and needs a decision. */
  | 'asking'
  /** The service is unreachable; resumes automatically. */
  | 'offline'
  | 'done'
  /** Finished; some or all of it failed. */
  | 'failed'
  | 'cancelled'

/** One drop, download or copy. Sizes in bytes, rates in bytes per second. */
export interface Transfer {
  id: string
  kind: TransferKind
  state: TransferState
  name: string
  /** Number of further picked ones. */
  others: number
  /** Source or target server; for a copy, the target. */
  server: ServerRef
  from: ServerRef | null
  /** On the server, or on this computer for a download. */
  folder: string
  files: number
  filesDone: number
  filesFailed: number
  filesSkipped: number
  bytes: number
  /** Confirmed by the receiving side. */
  bytesDone: number
  /** Over the last seconds; null while idle. */
  rate: number | null
  secondsLeft: number | null
  problem: Problem | null
  /** The conflicting file, in state `asking`. */
  asking: {
    itemId: string
    path: string
    size: number
    theirs: { size: number | null; modifiedAt: string | null }
  } | null
  createdAt: string
  endedAt: string | null
}

export interface TransferItem {
  id: string
  path: string
  kind: 'file' | 'folder'
  size: number
  bytesDone: number
  /** Bytes per second over the last seconds; null while idle. */
  rate: number | null
  secondsLeft: number | null
  state: 'gathering' | 'waiting' | 'running' | 'asking' | 'done' | 'skipped' | 'failed' | 'cancelled'
  /** If it differs from `path` (keep both). */
  finalPath: string | null
  problem: Problem | null
}

export interface Transfers {
  /** Active ones in queue order, then history, newest first. */
  items: Transfer[]
  /** Bytes per second in total; null for no limit. */
  limit: number | null
  atOnce: number
}
