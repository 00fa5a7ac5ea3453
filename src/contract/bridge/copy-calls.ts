import { z } from 'zod'
import { call, Id, server } from './call.ts'
import type { Problem } from './problem.ts'

/**
 * Why something of a server isn't in a copy. `changed`: it kept changing while it was read. `name`: this computer can't have the name. `twice`: this disk can't tell the name from another.
 */
export const missingReasons = ['changed', 'deep', 'link', 'name', 'special', 'twice', 'unread'] as const
export type MissingReason = (typeof missingReasons)[number]

export interface MissingFile {
  path: string
  reason: MissingReason
}

/** A copy of a server on this computer: a folder with its files. */
export interface ServerCopy {
  id: string
  /** ISO 8601, when it was begun. */
  at: string
  bytes: number
  files: number
  /** What was fetched for it; the rest was in the copy before. */
  fetchedBytes: number
  fetchedFiles: number
  /** The first of `missingCount`. */
  missing: MissingFile[]
  missingCount: number
  /** `stopped`: the server didn't run. `running`: it may have written meanwhile. */
  saving: 'paused' | 'stopped' | 'running'
  /** Unchanged files share their room with the copy before. */
  shares: boolean
  /** Nothing is missing that the service and this disk could have given. */
  isWhole: boolean
}

export type CopyProgress =
  { kind: 'waiting' | 'listing' | 'pausing' } | { kind: 'fetching'; bytes: number; bytesDone: number }

/** Backups that the host keeps, saved beside the copies. */
export interface SavedBackups {
  on: boolean
  count: number
  bytes: number
  /** Why the last ones couldn't be saved. */
  problem: Problem | null
}

export interface CopyState {
  on: boolean
  /** Of this computer's clock, 0 to 23. */
  hour: number
  /** How many are kept. */
  keep: number
  folder: { path: string; isChosen: boolean; isThere: boolean }
  running: CopyProgress | null
  /** How the last one ended; null if there was none yet. */
  last: { at: string; problem: Problem | null } | null
  /** A copy is due, but its service can't be asked now. */
  isLate: boolean
  /** Null if the host sends none. */
  hostBackups: SavedBackups | null
  /** Newest first. */
  copies: ServerCopy[]
  /** Folders can be chosen and shown. */
  hasFolders: boolean
}

const copy = server.extend({
  id: z
    .string()
    .max(19)
    .regex(/^\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d$/),
})

/** Copies of other services' servers on this computer. The page never names local paths. */
export const copyCalls = {
  'copies.read': call<CopyState>().of(server),
  'copies.change': call<CopyState>().of(
    server.extend({
      on: z.boolean().optional(),
      hostBackups: z.boolean().optional(),
      hour: z.number().int().min(0).max(23).optional(),
      keep: z.number().int().min(1).max(100).optional(),
    }),
  ),
  'copies.choose-folder': call<CopyState>().of(server),
  'copies.usual-folder': call<CopyState>().of(server),
  /** Queues one; it goes on in the background. Problem `conflict` if one is being made. */
  'copies.begin': call<void>().of(server),
  'copies.cancel': call<void>().of(server),
  'copies.reveal': call<void>().of(copy),
  'copies.remove': call<CopyState>().of(copy),
  /** Sends a copy's files to an import of this computer's own service. */
  'copies.send': call<{ transferId: string }>().of(copy.extend({ importId: Id })),
}
