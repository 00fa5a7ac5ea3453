import { access } from './access.ts'
import { account } from './account.ts'
import { activity } from './activity.ts'
import { consoleOperations, type eventStale } from './console.ts'
import { crashes } from './crashes.ts'
import { extensions } from './extensions.ts'
import type { jobEndStale } from './values/file-values.ts'
import { files } from './files.ts'
import { googleSignIn } from './google.ts'
import { imports } from './imports.ts'
import { modpacks } from './modpacks.ts'
import { myAccount } from './my-account.ts'
import { notifications } from './notifications.ts'
import type { Operation } from '../declarations/operation.ts'
import { players } from './players.ts'
import { promocodes } from './promocodes.ts'
import { ways } from './open-to.ts'
import { secondFactor } from './second-factor.ts'
import { servers } from './servers.ts'
import { software } from './software.ts'

/** Every operation of the Hosting Control API v1, by area. */
export const api = {
  account,
  myAccount,
  secondFactor,
  googleSignIn,
  servers,
  ways,
  crashes,
  imports,
  console: consoleOperations,
  players,
  files,
  software,
  extensions,
  modpacks,
  access,
  activity,
  notifications,
  promocodes,
}

export type AnyOperation = {
  [A in keyof typeof api]: (typeof api)[A][keyof (typeof api)[A]]
}[keyof typeof api]

/** The ids of all reads, which are the names of the views (§4, last paragraph). */
export type ReadId = Extract<AnyOperation, { kind: 'read' }>['id']
export type WriteId = Extract<AnyOperation, { kind: 'write' }>['id']

/** The operation of an id. */
export type OperationOf<Id extends ReadId | WriteId> = Extract<AnyOperation, { id: Id }>

/** The reads that a window may ask for as views, and the writes that it may send, both by their ids. */
export type ViewId = Extract<AnyOperation, { kind: 'read'; bridge: 'pass' }>['id']
export type PassedId = Extract<AnyOperation, { kind: 'write'; bridge: 'pass' }>['id']

/** Does not compile where it is given anything. */
export type None<T extends never> = T
/** What declarations call stale, or say that an answer puts, and is no read. */
export type StaleWithoutRead = None<Exclude<AnyOperation['stale'][number], ReadId>>
/** What an event of the stream makes stale and is no read, and what the end of a job does. */
type EventStale = (typeof eventStale)[keyof typeof eventStale]
export type EventStaleWithoutRead = None<Exclude<EventStale[number], ReadId>>
export type JobStaleWithoutRead = None<Exclude<(typeof jobEndStale)[number], ReadId>>

/** All operations in one list. Routes with fewer parameters come before those that could swallow them. */
export const operations: readonly Operation[] = Object.values(api).flatMap(
  (area) => Object.values(area) as Operation[],
)

/** What every base address ends in (§9). */
export const BASE_PATH = '/api/v1'
