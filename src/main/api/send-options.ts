import { SECOND_FACTOR_HEADER } from '../../contract/areas/second-factor.ts'
import type { Attempt } from './attempt.ts'
import type { Content } from './requests/content.ts'

export interface SendOptions {
  signal?: AbortSignal
  /** Entity tag the write is based on. */
  ifMatch?: string
  /** Entity tag that must not exist, or `*` for create only. */
  ifNoneMatch?: string
  secondFactor?: string | undefined
  /** The user's language, such as `de`. */
  language?: string | undefined
  /** Until the head of the answer, ms, for slow operations; default: the client's limit. */
  headMs?: number
  range?: string
  /** Request bytes. A stream is destroyed if the call fails. */
  content?: Content
  /** Default `application/octet-stream`. */
  contentType?: string
}

export interface AttemptOptions extends Pick<Attempt, 'headers' | 'content' | 'headMs' | 'accept' | 'raw'> {
  signal?: AbortSignal | undefined
  /** Don't remember `unavailable`. */
  forgetful?: boolean
  /** Receives the callback that reports the service as down, to be used after retries. */
  late?: (tell: () => void) => void
}

export function headed({
  signal,
  ifMatch,
  ifNoneMatch,
  secondFactor,
  language,
  range,
  content,
  contentType,
  headMs,
}: SendOptions): AttemptOptions {
  const headers: Record<string, string> = {}
  if (ifMatch !== undefined) headers['if-match'] = ifMatch
  if (ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch
  if (secondFactor !== undefined) headers[SECOND_FACTOR_HEADER] = secondFactor
  if (language !== undefined) headers['accept-language'] = language
  if (range !== undefined) headers['range'] = range
  if (contentType !== undefined) headers['content-type'] = contentType
  return {
    signal,
    headers,
    ...(content === undefined ? {} : { content }),
    ...(headMs === undefined ? {} : { headMs }),
  }
}

export interface SendResult<T> {
  value: T
  etag: string | null
  /** Time of the cached data that was returned, in ms since 1970; null if current. */
  heldSince: number | null
}

/** From the header `Age`, in seconds (RFC 9111 §5.1); null if current. */
export function heldSince({ age }: Readonly<Record<string, string>>, now: number): number | null {
  const seconds = /^\d{1,9}$/.test(age ?? '') ? Number(age) : 0
  return seconds === 0 ? null : now - seconds * 1000
}
