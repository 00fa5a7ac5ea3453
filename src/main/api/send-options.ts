import { SECOND_FACTOR_HEADER } from '../../contract/areas/second-factor.ts'
import type { Attempt } from './attempt.ts'
import type { Content } from './requests/content.ts'

/** What a caller says of one call beside its input. */
export interface SendOptions {
  signal?: AbortSignal
  /** Entity tag that a write takes as its ground. */
  ifMatch?: string
  /** Entity tag that must not be there, or `*` for a write that may only make. */
  ifNoneMatch?: string
  /** The code of the second factor. */
  secondFactor?: string | undefined
  /** The language that the person reads, such as `de`. */
  language?: string | undefined
  /** Until the head of the answer, ms, where the service works long before it; the client's own limit unless given. */
  headMs?: number
  /** Bytes that are asked for, such as `bytes=0-99`. */
  range?: string
  /** The body of an operation that sends bytes. A stream is destroyed where the call fails. */
  content?: Content
  /** Of `content`; `application/octet-stream` unless given. */
  contentType?: string
}

/** What a call is sent with, of whichever kind. */
export interface Sending extends Pick<Attempt, 'headers' | 'content' | 'headMs' | 'accept' | 'raw'> {
  signal?: AbortSignal | undefined
  /** `unavailable` is not remembered of the operation. */
  forgetful?: boolean
  /** Is given what says that the service is away, instead of that being told at once: it is tried again first. */
  late?: (tell: () => void) => void
}

/** The options of a call as the headers they become. */
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
}: SendOptions): Sending {
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

/** A successful answer. */
export interface Answered<T> {
  value: T
  etag: string | null
  /** Of which time it is where that is earlier, in ms since 1970: whoever answered had nothing newer; null: of now. */
  heldSince: number | null
}

/** Of which time an answer is by its header `Age`, which counts seconds (RFC 9111 §5.1); null where it is of now. */
export function heldSince({ age }: Readonly<Record<string, string>>, now: number): number | null {
  const seconds = /^\d{1,9}$/.test(age ?? '') ? Number(age) : 0
  return seconds === 0 ? null : now - seconds * 1000
}
