import { refusal, type Refusal } from '../../../host/refusal.ts'
import type { Lane, Operation } from '../../../contract/declarations/operation.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { Counter } from '../../../host/counter.ts'
import type { Bounds } from './bounds.ts'

interface ClientUsage {
  requests: number
  streams: number
}

export class RequestLimiter {
  readonly bounds: Bounds
  readonly #now: () => number
  readonly #accounts = new Map<string, ClientUsage>()
  readonly #rates = new Map<string, Counter>()
  readonly #lanes: Readonly<Record<Lane, Lanes>>

  /** @param now monotonic clock in milliseconds */
  constructor(bounds: Bounds, now: () => number) {
    this.bounds = bounds
    this.#now = now
    const lane = (name: Lane) => new Lanes({ perLane: bounds.lanes[name] })
    this.#lanes = {
      reading: lane('reading'),
      changing: lane('changing'),
      bringing: lane('bringing'),
      searching: lane('searching'),
    }
  }

  /** Counts a request until the returned function is called. Throws Refusal 429. */
  begin(accountId: string, isStream = false): () => void {
    const holding = this.#accounts.get(accountId) ?? { requests: 0, streams: 0 }
    if (isStream && holding.streams >= this.bounds.streams) {
      throw later(refusal(429, 'console.too-many-streams', { most: this.bounds.streams }), 5)
    }
    if (!isStream && holding.requests >= this.bounds.requestsAtOnce) {
      throw later(refusal(429, 'request.too-many', { most: this.bounds.requestsAtOnce }), 1)
    }
    const count = isStream ? 'streams' : 'requests'
    holding[count]++
    this.#accounts.set(accountId, holding)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      holding[count]--
      if (holding.requests + holding.streams === 0) this.#accounts.delete(accountId)
    }
  }

  /** Throws Refusal 429 `request.too-often`. */
  spend(accountId: string, { id, rate: declared }: Pick<Operation, 'id' | 'rate'>): void {
    const { rates } = this.bounds
    const rate = rates ? rates[id] : declared
    if (!rate) return
    const counter = this.#rates.get(id) ?? new Counter(rate, this.#now)
    this.#rates.set(id, counter)
    const wait = counter.take(accountId)
    if (wait > 0) throw later(refusal(429, 'request.too-often'), Math.ceil(wait / 1000))
  }

  /** Waits for a place in the operation's lane; returns how to leave it. Rejects if `signal` aborts. */
  async enter(
    accountId: string,
    { lane }: Pick<Operation, 'lane'>,
    signal: AbortSignal,
  ): Promise<() => void> {
    if (!lane) return () => {}
    try {
      return await this.#lanes[lane].enter(accountId, signal)
    } catch {
      throw refusal(499, 'request.gone')
    }
  }
}

const later = (refused: Refusal, seconds: number) => refused.with({ 'Retry-After': String(seconds) })
