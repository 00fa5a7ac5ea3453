import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Method, Operation } from '../../contract/areas/operation.ts'
import { type Said, say } from '../../contract/messages/say.ts'
import { isLoopback } from './address.ts'
import type { Arrived } from './classify.ts'
import { type Content, discard } from './content.ts'
import { PanelProblem, problem } from './problem.ts'
import type { ApiProfile, Wire } from './profile.ts'
import {
  ACCEPT_ENCODING,
  ANSWER_MOST_BYTES,
  AnswerTooLong,
  readText,
  readValue,
  readRaw,
  isPage,
  type Reading,
} from './read-answer.ts'
import { ListReader } from './read-list.ts'
import { errorDrifts, readError } from './reader/error.ts'
import { locationOf } from './raw.ts'
import type { Shape } from './shape.ts'
import { addressOf, type Given, headersOf } from './request.ts'
import { exchange, lifeline, type Response, type Sent } from './transport.ts'
import { neverSent, transportProblem } from './transport-problem.ts'

/** Redirects followed for one call, each to the same origin. */
const REDIRECTS_MOST = 3
/** A whole call may take this many times what its head may take, so that a long list has time to arrive. */
const WHOLE_CALL_FACTOR = 4
/** Bytes that were sent are hashed and put in their place before the head of an answer comes: so many times its limit. */
const WRITTEN_FACTOR = 4

/** What every attempt of one client shares. */
export interface Line {
  baseUrl: string
  profile(): ApiProfile | null
  dispatcher: Dispatcher
  /** Until the head of an answer, ms. */
  timeoutMs: number
  /** Longest silence on an event stream, ms. */
  silenceMs: number
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
  found?: Pick<Reading, 'drifts' | 'numbers'>
  /** Headers of the answer, by name in lower case. */
  headers: Record<string, string>
  /** The open body of an event stream or of bytes; whoever takes it must end it and then call `letGo`. */
  body: Readable | null
  letGo(): void
}

/** Sends once, follows what may be followed, reads the answer. Throws the problem of the transport, if it fails. */
export async function attempt(line: Line, call: Attempt): Promise<Attempted> {
  const { op, content, raw } = call
  const own = addressOf(line.baseUrl, call.wire, call.given)
  const start = raw?.location === undefined ? own : locationOf(raw.location, own, line.baseUrl)
  const open = !raw && (op.answer.kind === 'events' || op.answer.kind === 'bytes')
  // Bytes in either direction may take as long as they move.
  const endless = open || content !== undefined
  const life = lifeline(
    call.signals,
    endless ? undefined : (call.headMs ?? line.timeoutMs) * WHOLE_CALL_FACTOR,
  )
  const sent: Sent = {
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
    signal: life.signal,
    headMs: call.headMs ?? (content === undefined ? line.timeoutMs : line.timeoutMs * WRITTEN_FACTOR),
    silenceMs: open ? line.silenceMs : line.timeoutMs,
    ...(content !== undefined
      ? { body: content }
      : call.given.body === undefined
        ? {}
        : { body: JSON.stringify(call.given.body) }),
  }
  const writes = op.kind === 'write' && sent.method !== 'GET' && sent.method !== 'HEAD'
  let kept = false
  try {
    const { response, redirect } = await follow(line, sent)
    const { status } = response
    const arrived: Arrived = {
      op,
      status,
      retryAfter: response.header('retry-after'),
      error: null,
      tokenSent: call.token !== null,
      now: line.now(),
      ...(redirect === undefined ? {} : { redirect }),
    }
    const told = { arrived, etag: response.header('etag'), headers: response.headers }
    const nothing = { value: undefined, body: null, letGo: () => {} }
    const good = status >= 200 && status < 300
    const taken = good || call.accept?.includes(status) === true
    const type = response.header('content-type')
    if (good && open && rightKind(op, type, call.given.query?.['path'])) {
      kept = true
      return { ...told, value: undefined, body: response.body, letGo: life.stop }
    }
    const placed = call.shape?.items !== undefined || call.shape?.answer !== undefined
    const list = good && !raw && !placed && op.answer.kind === 'list' ? new ListReader(op.answer.item) : null
    const text = await readBody(response, good && !open, list)
    if (text.kind === 'cut') {
      const why = say('answer.cut')
      arrived.fit = writes && !isNeeded(op) ? { kind: 'unconfirmed', why } : { kind: 'broken', why }
      return { ...told, ...nothing }
    }
    if (!good) arrived.error = readError(text.text)
    if (taken && raw) {
      // What the caller expects to fail may say so in any words.
      const reading = readRaw(op, type, text.text, { success: good, writes })
      arrived.fit = reading.fit
      if (reading.fit.kind === 'unconfirmed') arrived.error = readError(text.text)
      return { ...told, ...nothing, value: reading.value }
    }
    if (!good) {
      // Faults of a service are often told by something in front of it.
      const drifts = status >= 400 && status < 500 ? errorDrifts(text.text) : []
      return { ...told, ...nothing, found: { drifts } }
    }
    const page = isPage(type, text.text)
    const reading: Reading = open
      ? {
          value: undefined,
          fit: { kind: 'misfit', path: 'body', why: say(page ? 'answer.page' : 'answer.no-stream') },
        }
      : readValue(op, text.text, { contentType: type, list, shape: call.shape ?? null })
    arrived.fit = reading.fit
    // What takes a success back says why, as an error does.
    if (['unconfirmed', 'denied'].includes(reading.fit.kind)) arrived.error = readError(text.text)
    return { ...told, ...nothing, value: reading.value, found: reading }
  } catch (fault) {
    const unsure = (of: PanelProblem) => (writes ? unsureOf(of) : of)
    for (const signal of call.signals) {
      if (!signal?.aborted) continue
      throw signal.reason instanceof PanelProblem ? unsure(signal.reason) : signal.reason
    }
    if (fault instanceof PanelProblem) throw fault
    if (fault instanceof AnswerTooLong) {
      throw unsure(
        problem('incompatible', say('answer.too-long', { most: ANSWER_MOST_BYTES }), { detail: 'body' }),
      )
    }
    const failed = transportProblem(life.signal.aborted ? life.signal.reason : fault, start.host)
    throw neverSent(failed.problem) ? failed : unsure(failed)
  } finally {
    if (!kept) life.stop()
    discard(content)
  }
}

const isNeeded = ({ answer }: Operation): boolean => answer.kind === 'json' && answer.needed === true

/** The problem of a write that may have been done all the same. */
export const unsureOf = ({ problem }: PanelProblem): PanelProblem =>
  new PanelProblem({ ...problem, unsure: true })

/** An event stream says what it is; bytes may be anything but a page that nobody asked for. */
function rightKind(op: Operation, type: string | null, path: unknown): boolean {
  if (op.answer.kind === 'events') return /^\s*text\/event-stream\b/i.test(type ?? '')
  return !isPage(type, '') || /\.x?html?$/i.test(String(path))
}

/** Codes of a connection that was closed under an answer, as against one that went silent. */
const cut = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'EPIPE'])

async function readBody(
  response: Response,
  whole: boolean,
  list: ListReader | null,
): Promise<{ kind: 'text'; text: string } | { kind: 'cut' }> {
  try {
    return { kind: 'text', text: await readText(response, list) }
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? ''
    if (cut.has(code)) return whole ? { kind: 'cut' } : { kind: 'text', text: '' }
    throw fault
  }
}

/**
 * Sends, and follows redirects by hand: GET only, to the very same origin only. The headers go along unchanged, so
 * wherever the token may stand in them, it never reaches another origin (specification §5.3).
 */
async function follow(line: Line, sent: Sent): Promise<{ response: Response; redirect?: Said }> {
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
