import { access } from './access.ts'
import { account } from './account.ts'
import { activity } from './activity.ts'
import { backupTargets } from './backup-targets.ts'
import { backups } from './backups.ts'
import { consoleOperations, type eventStale } from './console.ts'
import { containers } from './containers.ts'
import { crashes } from './crashes.ts'
import { extensions } from './extensions.ts'
import type { jobEndStale } from './values/file-values.ts'
import { files } from './files.ts'
import { googleSignIn } from './google.ts'
import { hosting } from './hosting.ts'
import { imports } from './imports.ts'
import { modpacks } from './modpacks.ts'
import { myAccount } from './my-account.ts'
import { nodes } from './nodes.ts'
import { notifications } from './notifications.ts'
import type { Operation } from '../declarations/operation.ts'
import { players } from './players.ts'
import { promocodes } from './promocodes.ts'
import { ways } from './open-to.ts'
import { schedules } from './schedules.ts'
import { secondFactor } from './second-factor.ts'
import { servers } from './servers.ts'
import { software } from './software.ts'
import { statsHistory } from './stats-history.ts'

export const api = {
  account,
  myAccount,
  secondFactor,
  googleSignIn,
  servers,
  ways,
  statsHistory,
  crashes,
  imports,
  containers,
  console: consoleOperations,
  players,
  files,
  backups,
  backupTargets,
  software,
  extensions,
  modpacks,
  access,
  activity,
  notifications,
  promocodes,
  schedules,
  nodes,
  hosting,
}

export type AnyOperation = {
  [A in keyof typeof api]: (typeof api)[A][keyof (typeof api)[A]]
}[keyof typeof api]

/** Read ids are the names of the views (§4, last paragraph). */
export type ReadId = Extract<AnyOperation, { kind: 'read' }>['id']
export type WriteId = Extract<AnyOperation, { kind: 'write' }>['id']

export type OperationOf<Id extends ReadId | WriteId> = Extract<AnyOperation, { id: Id }>

export type ViewId = Extract<AnyOperation, { kind: 'read'; bridge: 'pass' }>['id']
export type PassedId = Extract<AnyOperation, { kind: 'write'; bridge: 'pass' }>['id']

/** Fails to compile if given anything. */
export type None<T extends never> = T
/** Entries of `stale` or `puts` that aren't reads. */
export type StaleWithoutRead = None<Exclude<AnyOperation['stale'][number], ReadId>>
type EventStale = (typeof eventStale)[keyof typeof eventStale]
export type EventStaleWithoutRead = None<Exclude<EventStale[number], ReadId>>
export type JobStaleWithoutRead = None<Exclude<(typeof jobEndStale)[number], ReadId>>

/** Routes with fewer parameters come before those that could shadow them. */
export const operations: readonly Operation[] = Object.values(api).flatMap(
  (area) => Object.values(area) as Operation[],
)

/** What the built-in service serves: all but what only hosts have. */
export const servedOperations: readonly Operation[] = operations.filter(({ area }) => area !== 'hosting')

export const BASE_PATH = '/api/v1'
