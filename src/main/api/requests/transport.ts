import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Method } from '../../../contract/declarations/operation.ts'
import { bodyOf, type Content } from './content.ts'

/** What sends requests: a dispatcher, or one that is loaded late. */
export interface Requester {
  request(asked: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
}

export interface Sent {
  url: URL
  method: Method | 'HEAD'
  headers: Record<string, string>
  /** JSON, or raw bytes; bytes may take as long as they move. */
  body?: string | Content
  signal: AbortSignal
  /** Until the head of the answer, ms. */
  headMs: number
  /** Longest silence within the body, ms. */
  silenceMs: number
}

export interface Response {
  status: number
  header(name: string): string | null
  /** Every header by its name in lower case. */
  headers: Record<string, string>
  body: Readable
}

const joined = (value: string | string[]) => (Array.isArray(value) ? value.join(', ') : value)

/** One exchange. Never follows a redirect; that is decided where the token is known. */
export async function exchange(dispatcher: Requester, sent: Sent): Promise<Response> {
  const { url } = sent
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: sent.method,
    headers: sent.headers,
    body: typeof sent.body === 'string' ? sent.body : bodyOf(sent.body),
    signal: sent.signal,
    headersTimeout: sent.headMs,
    bodyTimeout: sent.silenceMs,
  })
  // A body that nobody reads to its end may still fail; whoever reads it is told by the reading.
  answer.body.on('error', () => {})
  return {
    status: answer.statusCode,
    header: (name) => {
      const value = answer.headers[name]
      return value === undefined ? null : joined(value)
    },
    headers: Object.fromEntries(
      Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, joined(value)]],
      ),
    ),
    body: answer.body,
  }
}

/** Ends with the first of several reasons; `stop` lets go of all of them. */
export function lifeline(
  signals: readonly (AbortSignal | undefined)[],
  limitMs?: number,
): { signal: AbortSignal; stop: () => void } {
  const control = new AbortController()
  const lets: (() => void)[] = []
  for (const signal of signals) {
    if (!signal) continue
    if (signal.aborted) control.abort(signal.reason)
    const pass = () => control.abort(signal.reason)
    signal.addEventListener('abort', pass, { once: true })
    lets.push(() => signal.removeEventListener('abort', pass))
  }
  if (limitMs !== undefined) {
    const timer = setTimeout(() => control.abort(new TookTooLong()), limitMs)
    lets.push(() => clearTimeout(timer))
  }
  return { signal: control.signal, stop: () => lets.forEach((letGo) => letGo()) }
}

/** The whole call took longer than its limit. */
export class TookTooLong extends Error {
  readonly code = 'TOOK_TOO_LONG'
}
