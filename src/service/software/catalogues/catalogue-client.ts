import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import manifest from '../../../../package.json' with { type: 'json' }
import type { Clock } from '../../base/clock.ts'
import type { Checksum } from '../catalogue.ts'
import { noteKept } from './answer-age.ts'
import { type CacheLimits, DiskCache, type KeptAnswer } from './disk-cache.ts'
import {
  bytesOf,
  checkText,
  exchange,
  pauseWanted,
  redirected,
  type RequestLimits,
  textOf,
} from './exchange.ts'
import { CatalogueFault, refusalOf } from './faults.ts'
import { HostGate, LineFull } from './host-gate.ts'
import { Pace, type PaceLimits } from './pace.ts'

/** What is asked of a catalogue. */
export interface Question<T> {
  url: string
  /** What people know the catalogue as. */
  name: string
  /** Reads the answer; throws, or rejects, where it is not what was expected. */
  parse: (text: string) => T | Promise<T>
  /** For how long an answer is used without asking again, in ms; ten minutes unless given. */
  freshMs?: number
  /** What the answer's text has to be. */
  checksum?: Checksum
  /** JSON that is sent with it, as a POST; such a question only asks, and its answer is kept like any other. */
  body?: string
  /** The text that stands for `there is no such thing`; without it that is a fault. */
  absent?: string
  /** The answer is no text: what is read is its bytes in base64. */
  isBinary?: true
  /** Largest answer, in bytes, where that is less than the client's. */
  mostBytes?: number
  /** Where a redirect may lead, besides what holds for every redirect. */
  mayFollow?: (url: URL) => boolean
}

export interface ClientLimits extends RequestLimits {
  /** Requests at once to one host. */
  atOnce: number
  /** A host that wants to be left alone for no longer than this is waited for, in ms. */
  patienceMs: number
  /** No host is believed to want to be left alone for longer, in ms. */
  pauseMostMs: number
  /** After a failure, a kept answer does for this long before the host is tried again, in ms. */
  restMs: number
}

const LIMITS: ClientLimits = {
  headMs: 10_000,
  silenceMs: 10_000,
  wholeMs: 45_000,
  mostBytes: 16 * 1024 * 1024,
  atOnce: 4,
  patienceMs: 5000,
  pauseMostMs: 10 * 60_000,
  restMs: 30_000,
}
const FRESH_MS = 10 * 60_000
const REDIRECTS_MOST = 5
/** How often one question is sent: again after a connection that broke, and after a pause that the host wanted. */
const TRIES_MOST = 3
/** Answers of which one is read at a time, in characters. */
const LARGE = 1024 * 1024
/** Redirects could name any number of hosts. */
const GATES_MOST = 100

/** What never changes: files under an address that names their checksum, and released artifacts. ms */
export const UNCHANGING_MS = 30 * 24 * 60 * 60_000

export interface ClientOptions {
  /** Where answers are kept. */
  folder: string
  contact: string
  clock: Clock
  dispatcher?: Dispatcher
  limits?: Partial<ClientLimits>
  /** How much is kept. */
  cache?: CacheLimits
  /** How often hosts may be asked, by their origin. */
  paces?: Record<string, PaceLimits>
  /** Waits so many ms, or rejects with the signal's reason. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

type Fetched = { kind: 'text'; text: string; etag: string | null } | { kind: 'unchanged' }

/**
 * Asks catalogues: few requests at once, no more than they allow, and none for what is known. Where one is out of reach its
 * last answer does, however old, and is told by `withAge`.
 */
export class CatalogueClient {
  readonly #cache: DiskCache
  readonly #agent: string
  readonly #clock: Clock
  readonly #dispatcher: Dispatcher
  readonly #limits: ClientLimits
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly #gates = new Map<string, HostGate>()
  readonly #paces: ReadonlyMap<string, Pace>
  /** Two who ask for the same share one request. */
  readonly #asked = new Map<string, Promise<unknown>>()
  readonly #closing = new AbortController()
  /** The reading of a large answer that is under way. */
  #parsing: Promise<unknown> = Promise.resolve()

  constructor({ folder, contact, clock, dispatcher, limits, cache, paces = {}, wait }: ClientOptions) {
    this.#cache = new DiskCache(folder, cache)
    this.#paces = new Map(Object.entries(paces).map(([origin, pace]) => [origin, new Pace(pace)]))
    this.#agent = `Wheelhouse/${manifest.version} (+${contact})`
    this.#clock = clock
    this.#limits = { ...LIMITS, ...limits }
    this.#dispatcher = dispatcher ?? new Agent({ connect: { timeout: this.#limits.headMs } })
    this.#wait = wait ?? ((ms, signal) => pause(ms, undefined, { signal }))
  }

  /** Headers that every request to a catalogue's hosts carries, downloads too. */
  get headers(): Record<string, string> {
    return { 'user-agent': this.#agent }
  }

  /**
   * Answers from what is kept while it is fresh, else asks. Rejects with Refusal 502 or 503 where there is no answer, and
   * with the signal's reason; where that is a timeout, what is kept does.
   */
  async get<T>(question: Question<T>, signal: AbortSignal): Promise<T> {
    if (!isTimeout(signal)) signal.throwIfAborted()
    const kept = await this.#kept(question)
    const age = kept && this.#clock.now() - kept.at
    if (kept && age !== null && age >= 0 && age < (question.freshMs ?? FRESH_MS)) return kept.value
    if (kept && this.#rests(question.url)) {
      noteKept(this.#clock.now() - kept.at)
      return kept.value
    }
    try {
      return await abortable(this.#shared(question, kept), signal)
    } catch (error) {
      if (!kept || !isTimeout(signal)) {
        if (signal.aborted || !(error instanceof CatalogueFault)) throw error
        if (!kept || error.kind === 'missing') throw refusalOf(error, question.name)
      }
      noteKept(this.#clock.now() - kept.at)
      return kept.value
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The service is stopping.'))
    await Promise.allSettled(this.#asked.values())
    await this.#dispatcher.destroy()
  }

  /** What is kept and still means something to this version of the program. */
  async #kept<T>(question: Question<T>): Promise<(KeptAnswer & { value: T }) | null> {
    const { parse, checksum } = question
    const kept = await this.#cache.read(keyOf(question), this.#limits.mostBytes)
    if (!kept) return null
    try {
      if (checksum) checkText(kept.text, checksum)
      return { ...kept, value: await this.#parse(parse, kept.text) }
    } catch {
      return null
    }
  }

  /** Reads an answer; of the large ones one after the other, since each takes several times its size. */
  async #parse<T>(parse: Question<T>['parse'], text: string): Promise<T> {
    if (text.length < LARGE) return parse(text)
    const read = this.#parsing.then(() => parse(text))
    this.#parsing = read.catch(() => undefined)
    return read
  }

  #rests(url: string): boolean {
    const failedAt = this.#gates.get(new URL(url).origin)?.failedAt ?? null
    return failedAt !== null && this.#clock.elapsed() - failedAt < this.#limits.restMs
  }

  #shared<T>(question: Question<T>, kept: (KeptAnswer & { value: T }) | null): Promise<T> {
    const key = keyOf(question)
    const known = this.#asked.get(key)
    if (known) return known as Promise<T>
    const asked = this.#renew(question, kept).finally(() => this.#asked.delete(key))
    // Whoever asked may have left before it ends.
    asked.catch(() => {})
    this.#asked.set(key, asked)
    return asked
  }

  async #renew<T>(question: Question<T>, kept: (KeptAnswer & { value: T }) | null): Promise<T> {
    const fetched = await this.#fetch(question, kept?.etag ?? null)
    const at = this.#clock.now()
    if (fetched.kind === 'unchanged') {
      if (!kept) throw new CatalogueFault('unreadable', 'There is nothing that could be unchanged.')
      await this.#cache.write(keyOf(question), { ...kept, at })
      return kept.value
    }
    if (question.checksum) checkText(fetched.text, question.checksum)
    const value = await this.#parse(question.parse, fetched.text).catch((error: unknown) => {
      throw new CatalogueFault('unreadable', 'The answer is not what was expected.', { cause: error })
    })
    // Only what could be read takes the place of what is kept.
    await this.#cache.write(keyOf(question), { text: fetched.text, etag: fetched.etag, at })
    return value
  }

  async #fetch(question: Question<unknown>, etag: string | null): Promise<Fetched> {
    const first = new URL(question.url)
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limits.wholeMs)])
    let url = first
    let redirects = 0
    for (let tries = 1; ;) {
      const gate = this.#gate(url)
      try {
        await this.#untilAllowed(url, gate, signal)
        const answer = await gate.during(signal, () => this.#once(url, question, etag, gate, signal))
        if (!(answer instanceof URL)) return answer
        // Another place could do anything with what is sent there.
        if (question.body !== undefined || question.mayFollow?.(answer) === false)
          throw new CatalogueFault('unreadable', `${first.host} redirects to where it is not followed.`)
        if (++redirects > REDIRECTS_MOST)
          throw new CatalogueFault('unreadable', `${first.host} redirects too often.`)
        url = answer
      } catch (error) {
        const fault = asFault(error, url)
        if (fault.kind === 'missing' && question.absent !== undefined)
          return { kind: 'text', text: question.absent, etag: null }
        if (fault.kind === 'unreachable') gate.failedAt = this.#clock.elapsed()
        const again = fault.kind === 'unreachable' ? isBroken(fault) : fault.kind === 'busy'
        if (!again || signal.aborted || ++tries > TRIES_MOST) throw fault
      }
    }
  }

  /** Waits for a host that wants to be left alone for a moment; throws where it wants that for longer. */
  async #untilAllowed({ origin }: URL, gate: HostGate, signal: AbortSignal): Promise<void> {
    const { patienceMs } = this.#limits
    const ms = gate.pausedUntil - this.#clock.elapsed()
    if (ms > patienceMs) throw new CatalogueFault('busy', 'It wants to be left alone.', { pauseMs: ms })
    const turn = this.#paces.get(origin)?.take(this.#clock.elapsed(), patienceMs) ?? 0
    if (turn === null) throw new CatalogueFault('busy', 'It is asked too often.', { pauseMs: patienceMs })
    if (Math.max(ms, turn) > 0) await this.#wait(Math.max(ms, turn), signal)
  }

  /** One exchange: what it brought, or where to go instead. */
  async #once(
    url: URL,
    question: Question<unknown>,
    etag: string | null,
    gate: HostGate,
    signal: AbortSignal,
  ): Promise<Fetched | URL> {
    const { pauseMostMs } = this.#limits
    const mostBytes = Math.min(question.mostBytes ?? Infinity, this.#limits.mostBytes)
    const headers = {
      ...this.headers,
      accept: 'application/json, application/xml, text/plain;q=0.9, */*;q=0.1',
      ...(etag !== null && { 'if-none-match': etag }),
    }
    const head = await exchange(this.#dispatcher, url, headers, this.#limits, signal, question.body)
    const { status } = head
    if (status < 500) gate.failedAt = null
    const wanted = pauseWanted(head, this.#clock.now())
    const pauseMs = wanted === null ? null : Math.min(wanted, pauseMostMs)
    if (pauseMs !== null) gate.pausedUntil = Math.max(gate.pausedUntil, this.#clock.elapsed() + pauseMs)
    if (status === 200) {
      const text = question.isBinary
        ? (await bytesOf(head, mostBytes)).toString('base64')
        : await textOf(head, mostBytes)
      return { kind: 'text', text, etag: question.body === undefined ? head.header('etag') : null }
    }
    // Their words are of no use, and closing costs less than reading them.
    head.body.destroy()
    if (status === 304 && etag !== null) return { kind: 'unchanged' }
    if ([301, 302, 303, 307, 308].includes(status)) return redirected(url, head.header('location'))
    if (status === 429 || (status === 503 && pauseMs !== null))
      throw new CatalogueFault('busy', `${url.host} answered with ${status}.`, { pauseMs: pauseMs ?? 0 })
    if (status === 404 || status === 410)
      throw new CatalogueFault('missing', `${url.host} answered with ${status}.`)
    throw new CatalogueFault(
      status >= 500 ? 'unreachable' : 'unreadable',
      `${url.host} answered with ${status}.`,
    )
  }

  #gate({ origin }: URL): HostGate {
    const known = this.#gates.get(origin)
    if (known) return known
    if (this.#gates.size >= GATES_MOST) {
      const now = this.#clock.elapsed()
      for (const [name, gate] of this.#gates)
        if (gate.isIdle && gate.pausedUntil <= now) this.#gates.delete(name)
    }
    const gate = new HostGate(this.#limits.atOnce)
    this.#gates.set(origin, gate)
    return gate
  }
}

/** Under which name an answer is kept: the address, and what was sent there. */
function keyOf({ url, body, isBinary }: Question<unknown>): string {
  if (body !== undefined) return `${url}#${createHash('sha256').update(body).digest('hex')}`
  return isBinary ? `${url}#bytes` : url
}

/** A connection that breaks may have been kept open for too long; a host that is silent stays so. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const isBroken = ({ cause }: CatalogueFault): boolean =>
  BROKEN.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '')

/** Whether somebody still waits for an answer, and only the time for it is over. */
const isTimeout = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === 'TimeoutError'

function asFault(error: unknown, url: URL): CatalogueFault {
  if (error instanceof CatalogueFault) return error
  if (error instanceof LineFull) return new CatalogueFault('busy', error.message, { pauseMs: 10_000 })
  return new CatalogueFault('unreachable', `${url.host} did not answer in time.`, { cause: error })
}

/** Answers as the promise does, or rejects as soon as nobody waits any more. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
