import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import manifest from '../../../package.json' with { type: 'json' }
import type { Rate } from '../../contract/declarations/operation.ts'
import { LaneFull, Lanes, unlessAborted } from '../../contract/rules/lanes.ts'
import type { Clock } from '../../host/clock.ts'
import { Counter } from '../../host/counter.ts'
import type { Checksum } from './remote-file.ts'
import { type CacheLimits, DiskCache, type KeptAnswer, noteKept } from './disk-cache.ts'
import {
  bytesOf,
  type CatalogDispatcher,
  checkText,
  exchange,
  pauseWanted,
  redirected,
  type RequestLimits,
  textOf,
} from './exchange.ts'
import { CatalogFault, refusalOf } from './faults.ts'

export interface Question<T> {
  url: string
  name: string
  /** Throws or rejects if the answer is malformed. */
  parse: (text: string) => T | Promise<T>
  /** Cache lifetime in ms. Default: ten minutes. */
  freshMs?: number
  checksum?: Checksum
  /** JSON to POST. Only for queries; the answer is cached as usual. */
  body?: string
  /** Stands in for a 404, which is otherwise a fault. */
  absent?: string
  /** Binary; the text is base64. */
  isBinary?: true
  mostBytes?: number
  /** Further restricts redirects. */
  mayFollow?: (url: URL) => boolean
}

export interface ClientLimits extends RequestLimits {
  atOnce: number
  patienceMs: number
  /** Caps the pauses hosts request, in ms. */
  pauseMostMs: number
  /** After a failure, a cached answer is used this long before retrying, in ms. */
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
/** Per question: after broken connections and requested pauses. */
const TRIES_MOST = 3
const LARGE = 1024 * 1024
const HOSTS_MOST = 100
const WAITING_MOST = 200

/** For immutable content, in ms: addresses with a checksum, and released artifacts. */
export const UNCHANGING_MS = 30 * 24 * 60 * 60_000

export interface ClientOptions {
  folder: string
  contact: string
  clock: Clock
  dispatcher?: CatalogDispatcher
  limits?: Partial<ClientLimits>
  cache?: CacheLimits
  /** By origin. */
  paces?: Record<string, Rate>
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

interface Host {
  /** Monotonic ms. */
  pausedUntil: number
  /** Last failure to connect, monotonic ms; null after an answer. */
  failedAt: number | null
}

type FetchResult = { kind: 'text'; text: string; etag: string | null } | { kind: 'unchanged' }

/** If a catalog is unreachable, uses its last answer, however old, and reports that to `withAge`. */
export class CatalogClient {
  readonly #cache: DiskCache
  readonly #agent: string
  readonly #clock: Clock
  readonly #dispatcher: CatalogDispatcher
  readonly #limits: ClientLimits
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly #hosts = new Map<string, Host>()
  readonly #requests: Lanes
  readonly #paces: ReadonlyMap<string, Counter>
  readonly #asked = new Map<string, Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #parsing = new Lanes({ atOnce: 1 })

  constructor({ folder, contact, clock, dispatcher, limits, cache, paces = {}, wait }: ClientOptions) {
    this.#cache = new DiskCache(folder, cache)
    const now = () => clock.elapsed()
    this.#paces = new Map(Object.entries(paces).map(([origin, pace]) => [origin, new Counter(pace, now)]))
    this.#agent = `Wheelhouse/${manifest.version} (+${contact})`
    this.#clock = clock
    this.#limits = { ...LIMITS, ...limits }
    this.#requests = new Lanes({ perLane: this.#limits.atOnce, waitingPerLane: WAITING_MOST })
    this.#dispatcher = dispatcher ?? new Agent({ connect: { timeout: this.#limits.headMs } })
    this.#wait = wait ?? ((ms, signal) => pause(ms, undefined, { signal }))
  }

  get headers(): Record<string, string> {
    return { 'user-agent': this.#agent }
  }

  /** Rejects with Refusal 502 or 503, or the signal's reason; a timeout falls back to the cache. */
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
      return await unlessAborted(this.#shared(question, kept), signal)
    } catch (error) {
      if (!kept || !isTimeout(signal)) {
        if (signal.aborted || !(error instanceof CatalogFault)) throw error
        if (!kept || error.kind === 'missing') throw refusalOf(error, question.name)
      }
      noteKept(this.#clock.now() - kept.at)
      return kept.value
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The service is stopping.'))
    await Promise.allSettled(this.#asked.values())
    await this.#dispatcher.destroy()
  }

  /** A cached answer that this version can still parse. */
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

  /** Large answers one at a time: parsing takes several times their size. */
  async #parse<T>(parse: Question<T>['parse'], text: string): Promise<T> {
    if (text.length < LARGE) return parse(text)
    return this.#parsing.run('', () => parse(text))
  }

  #rests(url: string): boolean {
    const failedAt = this.#hosts.get(new URL(url).origin)?.failedAt ?? null
    return failedAt !== null && this.#clock.elapsed() - failedAt < this.#limits.restMs
  }

  #shared<T>(question: Question<T>, kept: (KeptAnswer & { value: T }) | null): Promise<T> {
    const key = keyOf(question)
    const known = this.#asked.get(key)
    if (known) return known as Promise<T>
    const asked = this.#renew(question, kept).finally(() => this.#asked.delete(key))
    asked.catch(() => {})
    this.#asked.set(key, asked)
    return asked
  }

  async #renew<T>(question: Question<T>, kept: (KeptAnswer & { value: T }) | null): Promise<T> {
    const fetched = await this.#fetch(question, kept?.etag ?? null)
    const at = this.#clock.now()
    if (fetched.kind === 'unchanged') {
      if (!kept) throw new CatalogFault('unreadable', 'There is nothing that could be unchanged.')
      await this.#cache.write(keyOf(question), { ...kept, at })
      return kept.value
    }
    if (question.checksum) checkText(fetched.text, question.checksum)
    const value = await this.#parse(question.parse, fetched.text).catch((error: unknown) => {
      throw new CatalogFault('unreadable', 'The answer is not what was expected.', { cause: error })
    })
    // Cache only what could be parsed.
    await this.#cache.write(keyOf(question), { text: fetched.text, etag: fetched.etag, at })
    return value
  }

  async #fetch(question: Question<unknown>, etag: string | null): Promise<FetchResult> {
    const first = new URL(question.url)
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limits.wholeMs)])
    let url = first
    let redirects = 0
    for (let tries = 1; ;) {
      const host = this.#host(url)
      try {
        await this.#untilAllowed(url, host, signal)
        const ask = () => this.#once(url, question, etag, host, signal)
        const answer = await this.#requests.run(url.origin, ask, signal)
        if (!(answer instanceof URL)) return answer
        // Don't send the body to another place.
        if (question.body !== undefined || question.mayFollow?.(answer) === false)
          throw new CatalogFault('unreadable', `${first.host} redirects to where it is not followed.`)
        if (++redirects > REDIRECTS_MOST)
          throw new CatalogFault('unreadable', `${first.host} redirects too often.`)
        url = answer
      } catch (error) {
        const fault = asFault(error, url)
        if (fault.kind === 'missing' && question.absent !== undefined)
          return { kind: 'text', text: question.absent, etag: null }
        if (fault.kind === 'unreachable') host.failedAt = this.#clock.elapsed()
        const again = fault.kind === 'unreachable' ? isBroken(fault) : fault.kind === 'busy'
        if (!again || signal.aborted || ++tries > TRIES_MOST) throw fault
      }
    }
  }

  /** Throws if the host wants a longer pause than we wait. */
  async #untilAllowed({ origin }: URL, host: Host, signal: AbortSignal): Promise<void> {
    const { patienceMs } = this.#limits
    const ms = host.pausedUntil - this.#clock.elapsed()
    if (ms > patienceMs) throw new CatalogFault('busy', 'It wants to be left alone.', { pauseMs: ms })
    const turn = this.#paces.get(origin)?.take(origin, patienceMs) ?? 0
    if (turn > patienceMs) throw new CatalogFault('busy', 'It is asked too often.', { pauseMs: patienceMs })
    if (Math.max(ms, turn) > 0) await this.#wait(Math.max(ms, turn), signal)
  }

  async #once(
    url: URL,
    question: Question<unknown>,
    etag: string | null,
    host: Host,
    signal: AbortSignal,
  ): Promise<FetchResult | URL> {
    const { pauseMostMs } = this.#limits
    const mostBytes = Math.min(question.mostBytes ?? Infinity, this.#limits.mostBytes)
    const headers = {
      ...this.headers,
      accept: 'application/json, application/xml, text/plain;q=0.9, */*;q=0.1',
      ...(etag !== null && { 'if-none-match': etag }),
    }
    const head = await exchange(this.#dispatcher, url, headers, this.#limits, signal, question.body)
    const { status } = head
    if (status < 500) host.failedAt = null
    const wanted = pauseWanted(head, this.#clock.now())
    const pauseMs = wanted === null ? null : Math.min(wanted, pauseMostMs)
    if (pauseMs !== null) host.pausedUntil = Math.max(host.pausedUntil, this.#clock.elapsed() + pauseMs)
    if (status === 200) {
      const text = question.isBinary
        ? (await bytesOf(head, mostBytes)).toString('base64')
        : await textOf(head, mostBytes)
      return { kind: 'text', text, etag: question.body === undefined ? head.header('etag') : null }
    }
    // Closing is cheaper than reading the rest.
    head.body.destroy()
    if (status === 304 && etag !== null) return { kind: 'unchanged' }
    if ([301, 302, 303, 307, 308].includes(status)) return redirected(url, head.header('location'))
    if (status === 429 || (status === 503 && pauseMs !== null))
      throw new CatalogFault('busy', `${url.host} answered with ${status}.`, { pauseMs: pauseMs ?? 0 })
    if (status === 404 || status === 410)
      throw new CatalogFault('missing', `${url.host} answered with ${status}.`)
    throw new CatalogFault(
      status >= 500 ? 'unreachable' : 'unreadable',
      `${url.host} answered with ${status}.`,
    )
  }

  #host({ origin }: URL): Host {
    const known = this.#hosts.get(origin)
    if (known) return known
    if (this.#hosts.size >= HOSTS_MOST) {
      const now = this.#clock.elapsed()
      for (const [name, { pausedUntil }] of this.#hosts)
        if (this.#requests.isIdle(name) && pausedUntil <= now) this.#hosts.delete(name)
    }
    const host: Host = { pausedUntil: 0, failedAt: null }
    this.#hosts.set(origin, host)
    return host
  }
}

function keyOf({ url, body, isBinary }: Question<unknown>): string {
  if (body !== undefined) return `${url}#${createHash('sha256').update(body).digest('hex')}`
  return isBinary ? `${url}#bytes` : url
}

/** Retried: a kept-alive connection may have expired. Timeouts aren't. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const isBroken = ({ cause }: CatalogFault): boolean =>
  BROKEN.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '')

/** Whether only the time ran out, with the caller still waiting. */
const isTimeout = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === 'TimeoutError'

function asFault(error: unknown, url: URL): CatalogFault {
  if (error instanceof CatalogFault) return error
  if (error instanceof LaneFull)
    return new CatalogFault('busy', `Too many requests wait for ${url.host}.`, { pauseMs: 10_000 })
  return new CatalogFault('unreachable', `${url.host} did not answer in time.`, { cause: error })
}
