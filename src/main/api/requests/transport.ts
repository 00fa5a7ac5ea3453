import type { Readable } from 'node:stream'
import type { Dispatcher } from '../../../host/network/undici.ts'
import type { Method } from '../../../contract/declarations/operation.ts'
import { bodyOf, type Content } from './content.ts'
import type { Dial } from '../../../host/network/dial.ts'
import { outgoingNetwork } from '../../../host/network/outgoing.ts'

export interface Requester {
  request(
    asked: Dispatcher.RequestOptions,
  ): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { body: Readable }>
}

/** What is no HTTP goes the same way. */
export interface Network extends Requester {
  dial: Dial
}

export interface OutgoingRequest {
  url: URL
  method: Method | 'HEAD'
  headers: Record<string, string>
  /** JSON, or bytes, which have no time limit while they move. */
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
  /** Lower-case names. */
  headers: Record<string, string>
  body: Readable
}

const joined = (value: string | string[]) => (Array.isArray(value) ? value.join(', ') : value)

/** Never follows redirects; that needs to know about the token. */
export async function exchange(dispatcher: Requester, sent: OutgoingRequest): Promise<Response> {
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
  // An unread body may still fail; without a listener that would crash. A reader gets the error itself.
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

/** Aborts with the first of several reasons; `stop` removes the listeners. */
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
    const timer = setTimeout(() => control.abort(new RequestTimeout()), limitMs)
    lets.push(() => clearTimeout(timer))
  }
  return { signal: control.signal, stop: () => lets.forEach((letGo) => letGo()) }
}

export class RequestTimeout extends Error {
  readonly code = 'TOOK_TOO_LONG'
}

const CONNECT_MS = 10_000
/** Upper limit for the service's own keep-alive time. */
const KEEP_ALIVE_MOST_MS = 60_000

interface TransportOptions {
  /** PEM; default: Node's certificates and the system's. */
  ca?: string | string[]
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, except for loopback. https is tunneled: proxies never see tokens. */
  envProxy?: boolean
  /** The system's proxy for an address, in PAC syntax. Proxies in the environment take precedence. */
  resolveProxy?: ((address: string) => Promise<string>) | undefined
}

/** Not usable with the global fetch: Node bundles another major version of undici. */
export function makeDispatcher({ ca, envProxy = false, resolveProxy }: TransportOptions = {}): Dispatcher &
  Network {
  const { dispatcher, dial } = outgoingNetwork({
    ...{ timeout: CONNECT_MS, ca, envProxy, resolve: resolveProxy },
    // One event stream and a few calls per service gain nothing from HTTP/2.
    agent: { keepAliveMaxTimeout: KEEP_ALIVE_MOST_MS, allowH2: false },
  })
  return Object.assign(dispatcher, { dial })
}
