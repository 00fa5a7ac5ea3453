import type { Readable } from 'node:stream'
import type { Method, Operation } from '../../contract/declarations/operation.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import { isLoopback } from '../../host/network/loopback.ts'
import type { Arrived } from './classify.ts'
import { type Content, discard } from './requests/content.ts'
import { PanelProblem } from '../base/problem.ts'
import type { ApiProfile, Wire } from './profile/profile.ts'
import type { BodyMeaning, BodyRead } from './body/read-body.ts'
import type { BodyThread } from './body/body-thread.ts'
import { readArrived } from './body/read-arrived.ts'
import { ACCEPT_ENCODING } from './body/unpack.ts'
import { isPage } from './answers/read-answer.ts'
import { locationOf } from './requests/raw.ts'
import type { Shape } from './reader/shape.ts'
import { addressOf, type Given, headersOf } from './requests/request.ts'
import { exchange, lifeline, type Requester, type Response, type Sent } from './requests/transport.ts'
import { neverSent, transportProblem } from './requests/transport-problem.ts'

/** Redirects followed for one call, each to the same origin. */
const REDIRECTS_MOST = 3
/** A whole call may take this many times what its head may take, so that a long list has time to arrive. */
const WHOLE_CALL_FACTOR = 4
/** Bytes that were sent are hashed and put in their place before the head of an answer comes: so many times its limit. */
const WRITTEN_FACTOR = 4

/** What every attempt of one client shares. */
export interface Endpoint {
  baseUrl: string
  profile(): ApiProfile | null
  dispatcher: Requester
  /** Until the head of an answer, ms. */
  timeoutMs: number
  /** Longest silence on an event stream, ms. */
  silenceMs: number
  /** Reads what is too large to be read on main's thread. */
  thread: BodyThread
  now(): number
}

export interface Attempt {
  op: Operation
  wire: Extract<Wire, { kind: 'send' }>
  given: Given
  token: string | null
  /** Headers of the caller: ranges, conditions, those of a protocol. */
  headers?: Record<string, string>
  /** Raw bytes as the body. */
  content?: Content
  /** Until the head of the answer, ms, where that is not the limit of every call. */
  headMs?: number
  /** Statuses outside 2xx that the caller takes as an answer. */
  accept?: readonly number[]
  /** A protocol of its own (`raw.ts`): the answer's body is read, but against no schema. */
  raw?: { location?: string; method?: Method | 'HEAD' }
  signals: readonly (AbortSignal | undefined)[]
  /** Names and places of the service, as its profile says. */
  shape?: Shape | null
  /** What the headers of its profile hold, by name in lower case. */
  constants?: Readonly<Record<string, string>>
}

/** What came of an attempt: what classification needs, and what the caller wants. */
export interface Attempted {
  arrived: Arrived
  value: unknown
  etag: string | null
  /** What reading the answer found out. */
  found?: Pick<BodyRead, 'drifts' | 'numbers' | 'isTooLarge'>
  /** Headers of the answer, by name in lower case. */
  headers: Record<string, string>
  /** The open body of an event stream or of bytes; whoever takes it must end it and then call `letGo`. */
  body: Readable | null
  letGo(): void
}

/** Sends once, follows what may be followed, reads the answer. Throws the problem of the transport, if it fails. */
export async function attempt(line: Endpoint, call: Attempt): Promise<Attempted> {
  const open = isOpen(call)
  // Bytes in either direction may take as long as they move.
  const endless = open || call.content !== undefined
  const whole = (call.headMs ?? line.timeoutMs) * WHOLE_CALL_FACTOR
  const request = requestOf(line, call)
  const life = lifeline(call.signals, endless ? undefined : whole)
  const sent: Sent = { ...request, signal: life.signal }
  const writes = call.op.kind === 'write' && sent.method !== 'GET' && sent.method !== 'HEAD'
  let kept = false
  try {
    const { response, redirect } = await follow(line, sent)
    const arrived: Arrived = {
      op: call.op,
      status: response.status,
      retryAfter: response.header('retry-after'),
      error: null,
      tokenSent: call.token !== null,
      now: line.now(),
      ...(redirect === undefined ? {} : { redirect }),
    }
    const told = { arrived, etag: response.header('etag'), headers: response.headers }
    const type = response.header('content-type')
    if (isGood(response) && open && rightKind(call.op, type, call.given.query?.['path'])) {
      kept = true
      return { ...told, value: undefined, body: response.body, letGo: life.stop }
    }
    const meaning = meaningOf(response, call, writes)
    const read = await readArrived(call.op, response, meaning, line.thread, life.signal)
    arrived.error = read.error
    if (read.fit) arrived.fit = read.fit
    return { ...told, value: read.value, found: read, body: null, letGo: () => {} }
  } catch (fault) {
    throw faultOf(fault, call, { writes, life: life.signal, host: sent.url.host })
  } finally {
    if (!kept) life.stop()
    discard(call.content)
  }
}

/** Whether the body of a good answer is handed on as it comes. */
const isOpen = ({ op, raw }: Attempt): boolean =>
  !raw && (op.answer.kind === 'events' || op.answer.kind === 'bytes')

const isGood = ({ status }: Response): boolean => status >= 200 && status < 300

/** The request of an attempt, with its limits. */
function requestOf(line: Endpoint, call: Attempt): Omit<Sent, 'signal'> {
  const { op, content, raw } = call
  const own = addressOf(line.baseUrl, call.wire, call.given)
  const start = raw?.location === undefined ? own : locationOf(raw.location, own, line.baseUrl)
  const open = isOpen(call)
  return {
    url: start,
    method: raw?.method ?? call.wire.method,
    headers: headersOf(op, line.profile(), call.given, {
      token: call.token,
      constants: call.constants ?? {},
      ...(call.headers === undefined ? {} : { headers: call.headers }),
      ...(content === undefined ? {} : { content }),
      // Compressing costs more than it saves where nothing travels; a compressed event stream comes in lumps.
      encoding: open || isLoopback(start.hostname) ? 'identity' : ACCEPT_ENCODING,
    }),
    headMs: call.headMs ?? (content === undefined ? line.timeoutMs : line.timeoutMs * WRITTEN_FACTOR),
    silenceMs: open ? line.silenceMs : line.timeoutMs,
    ...(content !== undefined
      ? { body: content }
      : call.given.body === undefined
        ? {}
        : { body: JSON.stringify(call.given.body) }),
  }
}

/** How the body of an answer is to be understood. */
function meaningOf(response: Response, call: Attempt, writes: boolean): BodyMeaning {
  const { raw, shape = null, accept } = call
  const { status } = response
  const isSuccess = isGood(response)
  const isRaw = raw !== undefined && (isSuccess || accept?.includes(status) === true)
  return {
    as: isRaw ? 'raw' : !isSuccess ? 'refusal' : isOpen(call) ? 'unstreamed' : 'answer',
    isSuccess,
    writes,
    // Faults of a service are often told by something in front of it.
    isOwn: status >= 400 && status < 500,
    contentType: response.header('content-type'),
    headers: response.headers,
    shape,
  }
}

/** What an attempt fails with: as its caller broke it off, or as a problem that says whether it may have been done. */
function faultOf(
  fault: unknown,
  { signals }: Attempt,
  { writes, life, host }: { writes: boolean; life: AbortSignal; host: string },
): unknown {
  const unsure = (of: PanelProblem) => (writes ? unsureOf(of) : of)
  for (const signal of signals) {
    if (!signal?.aborted) continue
    return signal.reason instanceof PanelProblem ? unsure(signal.reason) : signal.reason
  }
  if (fault instanceof PanelProblem) return fault
  const failed = transportProblem(life.aborted ? life.reason : fault, host)
  return neverSent(failed.problem) ? failed : unsure(failed)
}

/** The problem of a write that may have been done all the same. */
export const unsureOf = ({ problem }: PanelProblem): PanelProblem =>
  new PanelProblem({ ...problem, unsure: true })

/** An event stream says what it is; bytes may be anything but a page that nobody asked for. */
function rightKind(op: Operation, type: string | null, path: unknown): boolean {
  if (op.answer.kind === 'events') return /^\s*text\/event-stream\b/i.test(type ?? '')
  return !isPage(type, '') || /\.x?html?$/i.test(String(path))
}

/**
 * Sends, and follows redirects by hand: GET only, to the very same origin only. The headers go along unchanged, so
 * wherever the token may stand in them, it never reaches another origin (specification §5.3).
 */
async function follow(line: Endpoint, sent: Sent): Promise<{ response: Response; redirect?: Said }> {
  const { origin } = sent.url
  let url = sent.url
  for (let hops = 0; ; hops++) {
    const response = await exchange(line.dispatcher, { ...sent, url })
    const location = response.header('location')
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return { response }
    if (sent.method !== 'GET') {
      return { response, redirect: say('answer.redirects-change') }
    }
    const target = URL.canParse(location, url) ? new URL(location, url) : null
    if (!target || target.origin !== origin || target.username !== '' || target.password !== '') {
      const redirect = target
        ? say('answer.redirects-away', { where: target.host, host: sent.url.host })
        : say('answer.redirects-nowhere')
      return { response, redirect }
    }
    if (hops >= REDIRECTS_MOST) return { response, redirect: say('answer.redirects-in-circle') }
    target.hash = ''
    url = target
    response.body.resume()
  }
}
