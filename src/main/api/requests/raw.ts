import type { Method } from '../../../contract/declarations/operation.ts'
import { say } from '../../../contract/messages/say.ts'
import type { Content } from './content.ts'
import { problem } from '../../base/problem.ts'

/**
 * A request that goes to the address of an operation, or to one below it, in a protocol of its own such as tus. Token,
 * profile, redirects and classification are those of every call.
 */
export interface RawRequest {
  /** Path parameters of the operation. */
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | null | undefined>
  /**
   * Another address than the operation's own: the `Location` of an earlier answer, absolute or relative to the
   * operation's address. It has to lie at the origin of the service and below its base address, else `incompatible`.
   */
  location?: string
  /** The operation's own (or the profile's) unless given. */
  method?: Method | 'HEAD'
  /** Those of the call itself (token, host, agent) win over these. */
  headers?: Record<string, string>
  /** May take as long as it moves. A stream is destroyed where the request fails. */
  body?: Content
  /** Statuses outside 2xx that are answers to the caller and no problem, such as 404 and 410 of an upload that ended. */
  accept?: readonly number[]
  /** Whether `unavailable` is remembered of the operation for a day; only where no `location` is given, unless false. */
  remember?: boolean
  /** Until the head of the answer, ms, counted from the end of the body; the client's own limit unless given. */
  headMs?: number
  signal?: AbortSignal
}

export interface RawAnswer {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  /** The body where it is JSON, else null. Not parsed against any schema. */
  json: unknown
}

/** The address of a `Location`. Throws `incompatible` where the token may not go there (specification §5.3). */
export function locationOf(location: string, from: URL, baseUrl: string): URL {
  const base = new URL(baseUrl)
  const target = URL.canParse(location, from) ? new URL(location, from) : null
  const home =
    target !== null &&
    target.origin === base.origin &&
    target.username === '' &&
    target.password === '' &&
    target.pathname.startsWith(`${base.pathname}/`)
  if (!home) {
    const why = target
      ? say('answer.sent-away', { where: target.host + target.pathname, base: base.host + base.pathname })
      : say('answer.sent-nowhere')
    throw problem('incompatible', why, { detail: 'location' })
  }
  target.hash = ''
  return target
}
