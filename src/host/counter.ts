import type { Rate } from '../contract/declarations/operation.ts'
import { createHmac, randomBytes } from 'node:crypto'

/** `points` in a window of `seconds`, which the first one opens. */
export interface Quota {
  points: number
  seconds: number
  /** For keys that strangers can invent: hashed with a secret into 16,384, so that filling the memory evicts none. */
  folded?: true
}

const FOLDS = 2 ** 14
/** The least recently used is evicted. */
const KEYS_MAX = 20_000

interface Count {
  used: number
  /** Monotonic ms: when the window opened, or the rate was last computed. */
  at: number
}

/** Counts in memory, by key. A library would read the system's clock: see docs/decisions/limits.md. */
export class Counter {
  readonly #most: number
  /** The quota's window, or the time in which a rate gives one back. */
  readonly #ms: number
  readonly #isRate: boolean
  readonly #secret: Buffer | null
  readonly #now: () => number
  readonly #counts = new Map<string, Count>()

  /** @param now monotonic clock in milliseconds */
  constructor(limit: Rate | Quota, now: () => number) {
    this.#isRate = 'burst' in limit
    this.#most = 'burst' in limit ? limit.burst : limit.points
    this.#ms = 1000 * ('burst' in limit ? 1 / limit.perSecond : limit.seconds)
    this.#secret = 'folded' in limit ? randomBytes(32) : null
    this.#now = now
  }

  /** Ms to wait; counts nothing if longer than `patienceMs`. */
  take(key: string, patienceMs = 0): number {
    const { used, at } = this.#of(key)
    const over = used + 1 - this.#most
    const wait = over <= 0 ? 0 : this.#isRate ? over * this.#ms : at + this.#ms - this.#now()
    this.#keep(key, { used: wait <= patienceMs ? used + 1 : used, at })
    return wait
  }

  giveBack(key: string): void {
    const { used, at } = this.#of(key)
    if (used > 0) this.#keep(key, { used: Math.max(0, used - 1), at })
  }

  begin(key: string): void {
    this.#keep(key, { used: 0, at: this.#now() })
  }

  has(key: string): boolean {
    const count = this.#counts.get(this.#nameOf(key))
    return count !== undefined && this.#now() - count.at < this.#ms
  }

  forget(key: string): void {
    this.#counts.delete(this.#nameOf(key))
  }

  #of(key: string): Count {
    const now = this.#now()
    const count = this.#counts.get(this.#nameOf(key)) ?? { used: 0, at: now }
    if (this.#isRate) return { used: Math.max(0, count.used - (now - count.at) / this.#ms), at: now }
    return now - count.at < this.#ms ? count : { used: 0, at: now }
  }

  #keep(key: string, count: Count): void {
    const name = this.#nameOf(key)
    this.#counts.delete(name)
    this.#counts.set(name, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > KEYS_MAX && oldest !== undefined) this.#counts.delete(oldest)
  }

  #nameOf(key: string): string {
    if (!this.#secret) return key
    return String(createHmac('sha256', this.#secret).update(key).digest().readUInt32LE() % FOLDS)
  }
}
