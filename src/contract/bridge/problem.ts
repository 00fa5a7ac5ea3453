import type { Said, Sentence } from '../messages/say.ts'

/**
 * Every way a call can fail, as the panel tells them apart. The list is closed: the renderer has words for each.
 * Those up to `offline` come from the classification of a service's answer (specification §7).
 */
export const problemCodes = [
  'signed-out',
  'invalid',
  'forbidden',
  'not-found',
  'unavailable',
  'too-large',
  'conflict',
  'changed',
  'incompatible',
  /** A write was sent and answered with success, but its answer does not confirm it: neither done nor failed. */
  'unconfirmed',
  'rate-limited',
  'service-failed',
  'offline',
  /** The certificate of the service cannot be trusted. */
  'untrusted',
  /** The base address cannot be used; `fields.baseUrl` says why. */
  'bad-address',
  /** The built-in service did not start or has ended. */
  'local-failed',
  /** The call does not fit the bridge's declaration, or its sender is not the panel. */
  'refused',
  /** A fault of the panel itself; `logId` finds it in the log. */
  'internal',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Whether a read that failed so is tried again by itself; of the others only somebody's act changes the answer. */
const PASSES: Record<ProblemCode, boolean> = {
  'signed-out': false,
  invalid: false,
  forbidden: false,
  'not-found': false,
  unavailable: false,
  'too-large': false,
  conflict: true,
  changed: true,
  incompatible: true,
  unconfirmed: false,
  'rate-limited': true,
  'service-failed': true,
  offline: true,
  untrusted: false,
  'bad-address': false,
  'local-failed': true,
  refused: false,
  internal: true,
}
export const mayPass = (code: ProblemCode): boolean => PASSES[code]

/** Of tries again by themselves: the first pause, and the longest one, in ms. Half of each is chance. */
export const RETRY_FIRST_MS = 1000
export const RETRY_LATEST_MS = 60_000

/** The `detail` of a service that has no room left (507): it works, and somebody has to make room. */
export const NO_ROOM = 'no-room'

/** The `detail` of a service that cannot do it now (503), as while it shuts down. */
export const NOT_NOW = 'not-now'

/** The `detail` of an answer that was broken on its way, or by the service: what it did nobody knows. */
export const BROKEN = 'broken'

/** The `detail` of a refusal at one server, whose owner could give the permission. */
export const AT_SERVER = 'at-server'

/** The `serviceCode` of a deletion that would lose more than its question named. */
export const MORE_LOST = 'panel.more-lost'

/** What a service calls a field of a request. */
export interface WantedName {
  /** The contract's name. */
  field: string
  as: string
}

/** A failed call, as plain data. It never carries a secret. */
export interface Problem extends Said {
  code: ProblemCode
  /** Whether trying the same again can help. */
  retryable: boolean
  /** Messages by field name. One that is the problem's own `message` has its `text` too. */
  fields?: Record<string, string[]>
  /** Which sentence the first message of a field is, where it is another than the problem's own. */
  fieldTexts?: Record<string, Sentence>
  /**
   * The service's own `error.code`, such as `account.unconfirmed`. One that begins with `computer.` says that the fault lies
   * on this computer; its message says everything.
   */
  serviceCode?: string
  /**
   * With `incompatible`: the path of the field that did not fit. With `unavailable`: the operation's id. With
   * `service-failed`: `NO_ROOM`, `NOT_NOW` or `BROKEN` where that is why. With `forbidden`: `AT_SERVER` where it is about one server.
   */
  detail?: string
  /** What was to be done was sent, and nobody knows whether it was done: the answer was lost, or says too little. */
  unsure?: true
  /** With `invalid`: names that the service wants for fields of the request it refused. */
  wanted?: readonly WantedName[]
  /** Seconds to wait, with `rate-limited`. */
  retryAfter?: number
  logId?: string
  /** With `unavailable`: since when the panel knows that the service does not offer it (ISO 8601). */
  since?: string
}

/** What every call answers: Electron keeps only the message of a thrown error, so nothing is thrown across. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem }
