import type { Readable } from 'node:stream'
import type { Method, Operation } from '../../contract/declarations/operation.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { isLoopback } from '../../host/network/loopback.ts'
import type { ResponseSummary } from './classify.ts'
import { type Content, discard } from './requests/content.ts'
import { PanelProblem } from '../base/problem.ts'
import type { ApiProfile, Wire } from './profile/profile.ts'
import type { BodyMeaning, BodyResult } from './body/read-body.ts'
import type { BodyThread } from './body/body-thread.ts'
import { readArrived } from './body/read-arrived.ts'
import { ACCEPT_ENCODING } from './body/unpack.ts'
import { isPage } from './answers/read-answer.ts'
import { locationOf } from './requests/raw.ts'
import type { Shape } from './reader/shape.ts'
import { addressOf, type RequestInput, headersOf } from './requests/request.ts'
import {
  exchange,
  lifeline,
  type Requester,
  type Response,
  type OutgoingRequest,
} from './requests/transport.ts'
import { neverSent, transportProblem } from './requests/transport-problem.ts'

const REDIRECTS_MOST = 3
/** The whole call may take this many times the head's limit, so that a long list has time to arrive. */
const WHOLE_CALL_FACTOR = 4
/** Uploads get this many times the limit: the service hashes and stores them before it answers. */
const WRITTEN_FACTOR = 4

export interface Endpoint {
  baseUrl: string
  profile(): ApiProfile | null
  dispatcher: Requester
  /** Until the head of the answer, ms. */
  timeoutMs: number
  /** Longest silence on an event stream, ms. */
  silenceMs: number
  thread: BodyThread
  now(): number
}

export interface Attempt {
  op: Operation
  wire: Extract<Wire, { kind: 'send' }>
  given: RequestInput
  token: string | null
  headers?: Record<string, string>
  content?: Content
  /** Until the head of the answer, ms; overrides the general limit. */
  headMs?: number
  /** Statuses outside 2xx that the caller accepts. */
  accept?: readonly number[]
  /** Other protocols (`raw.ts`): the body is read without a schema. */
  raw?: { location?: string; method?: Method | 'HEAD' }
  signals: readonly (AbortSignal | undefined)[]
  shape?: Shape | null
  /** Fixed headers from the profile; lower-case names. */
  constants?: Readonly<Record<string, string>>
}

export interface AttemptResult {
  arrived: ResponseSummary
  value: unknown
  etag: string | null
  found?: Pick<BodyResult, 'drifts' | 'numbers' | 'isTooLarge'>
  /** Lower-case names. */
  headers: Record<string, string>
  /** Open body of an event stream or download. The caller must end it, then call `letGo`. */
  body: Readable | null
  letGo(): void
}

export async function attempt(line: Endpoint, call: Attempt): Promise<AttemptResult> {
  const open = isOpen(call)
  // Byte transfers have no total limit while data keeps moving.
  const endless = open || call.content !== undefined
  const whole = (call.headMs ?? line.timeoutMs) * WHOLE_CALL_FACTOR
  const request = requestOf(line, call)
  const life = lifeline(call.signals, endless ? undefined : whole)
  const sent: OutgoingRequest = { ...request, signal: life.signal }
  const writes = call.op.kind === 'write' && sent.method !== 'GET' && sent.method !== 'HEAD'
  let kept = false
  try {
    const { response, redirect } = await follow(line, sent)
    const arrived: ResponseSummary = {
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

const isOpen = ({ op, raw }: Attempt): boolean =>
  !raw && (op.answer.kind === 'events' || op.answer.kind === 'bytes')

const isGood = ({ status }: Response): boolean => status >= 200 && status < 300

function requestOf(line: Endpoint, call: Attempt): Omit<OutgoingRequest, 'signal'> {
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
      // Compression isn't worth it on loopback, and makes event streams arrive in lumps.
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

function meaningOf(response: Response, call: Attempt, writes: boolean): BodyMeaning {
  const { raw, shape = null, accept } = call
  const { status } = response
  const isSuccess = isGood(response)
  const isRaw = raw !== undefined && (isSuccess || accept?.includes(status) === true)
  return {
    as: isRaw ? 'raw' : !isSuccess ? 'refusal' : isOpen(call) ? 'unstreamed' : 'answer',
    isSuccess,
    writes,
    // A 5xx often comes from a proxy in front of the service.
    isOwn: status >= 400 && status < 500,
    contentType: response.header('content-type'),
    headers: response.headers,
    shape,
  }
}

/** The caller's abort reason, or a problem that says whether the request may have been executed. */
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

export const unsureOf = ({ problem }: PanelProblem): PanelProblem =>
  new PanelProblem({ ...problem, unsure: true })

/** Event streams declare their type; bytes may be anything but an unexpected web page. */
function rightKind(op: Operation, type: string | null, path: unknown): boolean {
  if (op.answer.kind === 'events') return /^\s*text\/event-stream\b/i.test(type ?? '')
  return !isPage(type, '') || /\.x?html?$/i.test(String(path))
}

/** GET and same origin only: headers stay unchanged, so the token never reaches another origin (§5.3). */
async function follow(
  line: Endpoint,
  sent: OutgoingRequest,
): Promise<{ response: Response; redirect?: LocalizedText }> {
  const { origin } = sent.url
  let url = sent.url
  for (let hops = 0; ; hops++) {
    const response = await exchange(line.dispatcher, { ...sent, url })
    const location = response.header('location')
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return { response }
    if (sent.method !== 'GET') {
      return { response, redirect: localized('answer.redirects-change') }
    }
    const target = URL.canParse(location, url) ? new URL(location, url) : null
    if (!target || target.origin !== origin || target.username !== '' || target.password !== '') {
      const redirect = target
        ? localized('answer.redirects-away', { where: target.host, host: sent.url.host })
        : localized('answer.redirects-nowhere')
      return { response, redirect }
    }
    if (hops >= REDIRECTS_MOST) return { response, redirect: localized('answer.redirects-in-circle') }
    target.hash = ''
    url = target
    response.body.resume()
  }
}
