import type { LocalizedText, Sentence } from '../messages/localized-text.ts'

/** A closed list: the renderer has words for each. Codes up to `offline` classify a service's answer (§7). */
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
  /** A write succeeded by its status, but the answer doesn't confirm it. */
  'unconfirmed',
  'rate-limited',
  'service-failed',
  'offline',
  'untrusted',
  /** Unusable base address; `fields.baseUrl` says why. */
  'bad-address',
  /** The built-in service didn't start or has exited. */
  'local-failed',
  'refused',
  'internal',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Whether a failed read is retried automatically. The other codes need someone to act. */
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

/** First and longest delay of automatic retries, in ms. Half of each is random. */
export const RETRY_FIRST_MS = 1000
export const RETRY_LATEST_MS = 60_000

/** `detail` of a 507: the service is out of space. */
export const NO_ROOM = 'no-room'

/** `detail` of a 503, for example during shutdown. */
export const NOT_NOW = 'not-now'

/** `detail` of a 423: a server that is busy, for example while it stops. */
export const BUSY = 'busy'

/** `detail` of a broken answer; whether the request was executed is unknown. */
export const BROKEN = 'broken'

/** `detail` of a refusal at one server, whose owner could grant the permission. */
export const AT_SERVER = 'at-server'

/** `serviceCode` of a deletion that can't be undone, since the service has no trash. */
export const NO_TRASH = 'panel.no-trash'

export interface WantedName {
  field: string
  as: string
}

export interface Problem extends LocalizedText {
  code: ProblemCode
  retryable: boolean
  /** Messages by field name. The problem's own `message` is translated by `text`. */
  fields?: Record<string, string[]>
  /** Translations of each field's first message, if it isn't the problem's own. */
  fieldTexts?: Record<string, Sentence>
  /** The service's `error.code`. `computer.` prefix: the cause is on this computer and the message says everything. */
  serviceCode?: string
  /** Invalid field (`incompatible`), operation id (`unavailable`), or one of the constants above. */
  detail?: string
  /** The request may have been executed: its answer was lost or unclear. */
  unsure?: true
  /** With `invalid`: the service's names for fields it refused. */
  wanted?: readonly WantedName[]
  retryAfter?: number
  logId?: string
  /** With `unavailable`: when the panel learned this (ISO 8601). */
  since?: string
}

/** Answer of every call. Electron would reduce a thrown error to its message. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem }
