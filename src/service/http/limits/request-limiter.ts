import { refusal, type Refusal } from '../../base/refusal.ts'
import { type Bounds, type Lane, LANES } from './bounds.ts'

interface Used {
  left: number
  at: number
}

interface Holding {
  requests: number
  streams: number
  lanes: Map<Lane, { running: number; waiting: (() => void)[] }>
  used: Map<string, Used>
}

/** Accounts remembered before idle ones are dropped. */
const REMEMBERED = 1000

export class RequestLimiter {
  readonly bounds: Bounds
  readonly #now: () => number
  readonly #accounts = new Map<string, Holding>()

  /** @param now monotonic clock in milliseconds */
  constructor(bounds: Bounds, now: () => number = () => performance.now()) {
    this.bounds = bounds
    this.#now = now
  }

  /** Counts a request until the returned function is called. Throws Refusal 429. */
  begin(accountId: string, isStream = false): () => void {
    const holding = this.#of(accountId)
    if (isStream && holding.streams >= this.bounds.streams) {
      throw later(refusal(429, 'console.too-many-streams', { most: this.bounds.streams }), 5)
    }
    if (!isStream && holding.requests >= this.bounds.requestsAtOnce) {
      throw later(refusal(429, 'request.too-many', { most: this.bounds.requestsAtOnce }), 1)
    }
    const count = isStream ? 'streams' : 'requests'
    holding[count]++
    let ended = false
    return () => {
      if (!ended) holding[count]--
      ended = true
    }
  }

  /** Throws Refusal 429 `request.too-often`. */
  spend(accountId: string, id: string): void {
    const rate = this.bounds.rates[id]
    if (!rate) return
    const { used } = this.#of(accountId)
    const now = this.#now()
    const before = used.get(id) ?? { left: rate.burst, at: now }
    const left = Math.min(rate.burst, before.left + ((now - before.at) / 1000) * rate.perSecond)
    if (left < 1) {
      const seconds = Math.max(1, Math.ceil((1 - left) / rate.perSecond))
      throw later(refusal(429, 'request.too-often'), seconds)
    }
    used.set(id, { left: left - 1, at: now })
  }

  /** Waits for a place in the operation's lane; returns how to leave it. Rejects if `signal` aborts. */
  async enter(accountId: string, id: string, signal: AbortSignal): Promise<() => void> {
    const name = LANES[id]
    if (!name) return () => {}
    const { lanes } = this.#of(accountId)
    let lane = lanes.get(name)
    if (!lane) lanes.set(name, (lane = { running: 0, waiting: [] }))
    const own = lane
    if (own.running >= this.bounds.lanes[name]) await turnIn(own.waiting, signal)
    else own.running++
    let left = false
    return () => {
      if (left) return
      left = true
      // Passes the place on to the next one, which has already counted it.
      const next = own.waiting.shift()
      if (next) next()
      else own.running--
    }
  }

  #of(accountId: string): Holding {
    let holding = this.#accounts.get(accountId)
    if (!holding) {
      if (this.#accounts.size >= REMEMBERED) this.#forgetResting()
      holding = { requests: 0, streams: 0, lanes: new Map(), used: new Map() }
      this.#accounts.set(accountId, holding)
    }
    return holding
  }

  #forgetResting(): void {
    const longAgo = this.#now() - 10 * 60 * 1000
    for (const [id, { requests, streams, used }] of this.#accounts) {
      if (requests + streams === 0 && [...used.values()].every(({ at }) => at < longAgo))
        this.#accounts.delete(id)
    }
  }
}

function turnIn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(refusal(499, 'request.gone'))
    }
    const go = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    if (signal.aborted) return reject(refusal(499, 'request.gone'))
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(go)
  })
}

const later = (refused: Refusal, seconds: number) => refused.with({ 'Retry-After': String(seconds) })
