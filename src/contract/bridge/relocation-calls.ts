import { z } from 'zod'
import { call, Id, server } from './call.ts'
import type { Problem } from './problem.ts'
import type { ServerRef } from './values.ts'

/** `unknown`: its host doesn't say. */
export type RunState = 'stopped' | 'running' | 'unknown'

/** What belongs to the place where a server runs. */
export interface PlaceSetting {
  name: 'server-port' | 'server-ip' | 'query.port' | 'rcon.port' | 'memory'
  /** Null: not set, or not known. Memory in MiB. */
  from: string | null
  to: string | null
}

/**
 * `proxy`: a proxy checks the accounts. `open-names`: nobody does. `no-times`: the host doesn't say when files changed.
 * `path`: a setting that names a place outside of the server's folder.
 */
export type RelocationWarning =
  { kind: 'proxy' | 'open-names' | 'no-times' } | { kind: 'path'; name: string; value: string }

export interface RelocationPreview {
  from: RunState
  /** Null: a server is created there. */
  to: RunState | null
  /** Whether a deleted file could be brought back there. */
  hasTrash: boolean
  settings: PlaceSetting[]
  warnings: RelocationWarning[]
}

export const relocationStages = [
  'listing',
  'emptying',
  'copying',
  'settings',
  'checking',
  'done',
  'failed',
  'cancelled',
] as const
export type RelocationStage = (typeof relocationStages)[number]

/** A server's files on their way into the folder of another server. */
export interface Relocation {
  id: string
  from: ServerRef
  to: ServerRef
  stage: RelocationStage
  transferId: string | null
  /** Files; while listing and checking. */
  done: number
  total: number | null
  /** Deleting what was there has begun. */
  emptied: boolean
  /** Links and the like, which mean nothing elsewhere. */
  leftOut: number
  /** Where the copy differs: the first names. */
  different: string[]
  differentCount: number
  problem: Problem | null
}

const one = z.object({ id: z.uuid().max(36) })
const pair = z.object({ from: server, to: server })

/** Moving a server elsewhere. The server that is moved is never changed. */
export const relocationCalls = {
  /** `to` null: a new server. */
  'relocations.preview': call<RelocationPreview>().of(z.object({ from: server, to: server.nullable() })),
  /** Into an import of a service that creates servers. */
  'relocations.send': call<{ transferId: string }>().of(
    z.object({ from: server, to: z.object({ connectionId: Id, importId: Id }) }),
  ),
  /**
   * Into the folder of another server. `empties`: what is there is deleted first. `areStopped`: the user says so where
   * it isn't known. Problem `conflict` if one of them runs.
   */
  'relocations.begin': call<Relocation>().of(pair.extend({ empties: z.boolean(), areStopped: z.boolean() })),
  'relocations.list': call<Relocation[]>().of(z.undefined()),
  /** Goes on where it failed. */
  'relocations.retry': call<void>().of(one),
  'relocations.cancel': call<void>().of(one),
  /** Forgets an ended one. */
  'relocations.forget': call<void>().of(one),
}
