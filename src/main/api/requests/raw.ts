import type { Method } from '../../../contract/declarations/operation.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { Content } from './content.ts'
import { problem } from '../../base/problem.ts'

/** A request of another protocol, such as tus, to an operation's address or below. */
export interface RawRequest {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | null | undefined>
  /** A `Location`, absolute or relative. `incompatible` unless on the service's origin and below its base address. */
  location?: string
  method?: Method | 'HEAD'
  /** The call's own headers (token, host, agent) take precedence. */
  headers?: Record<string, string>
  /** No time limit while data moves. A stream is destroyed if the request fails. */
  body?: Content
  /** Statuses outside 2xx that the caller accepts, such as 404 and 410 for an upload that ended. */
  accept?: readonly number[]
  /** Remember `unavailable` for a day; default true unless a `location` is given. */
  remember?: boolean
  /** From the end of the body to the head of the answer, ms; default: the client's limit. */
  headMs?: number
  signal?: AbortSignal
}

export interface RawAnswer {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  /** Null if it isn't JSON. Not validated. */
  json: unknown
}

/** Throws `incompatible` if the token may not go there (specification §5.3). */
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
      ? localized('answer.sent-away', {
          where: target.host + target.pathname,
          base: base.host + base.pathname,
        })
      : localized('answer.sent-nowhere')
    throw problem('incompatible', why, { detail: 'location' })
  }
  target.hash = ''
  return target
}
