/** A full bucket allows `burst` in a row. */
export interface Rate {
  burst: number
  perSecond: number
}

export class TokenBucket {
  readonly #burst: number
  readonly #everyMs: number
  #fullAt = -Infinity

  constructor({ burst, perSecond }: Rate) {
    this.#burst = burst
    this.#everyMs = 1000 / perSecond
  }

  /** Ms to wait; takes nothing if longer than `most`. @param now monotonic ms */
  take(now: number, most = 0): number {
    const fullAt = Math.max(this.#fullAt, now) + this.#everyMs
    const wait = Math.max(0, fullAt - now - this.#burst * this.#everyMs)
    if (wait <= most) this.#fullAt = fullAt
    return wait
  }

  /** Monotonic ms. */
  get fullAt(): number {
    return this.#fullAt
  }
}

/** Keys remembered before full buckets are dropped, which allow the same as new ones. */
const REMEMBERED = 5000

export class TokenBuckets {
  readonly #buckets = new Map<string, TokenBucket>()

  /** Ms to wait; takes nothing unless zero. @param now monotonic ms */
  take(key: string, rate: Rate, now: number): number {
    let bucket = this.#buckets.get(key)
    if (!bucket) {
      if (this.#buckets.size >= REMEMBERED)
        for (const [other, { fullAt }] of this.#buckets) if (fullAt <= now) this.#buckets.delete(other)
      this.#buckets.set(key, (bucket = new TokenBucket(rate)))
    }
    return bucket.take(now)
  }
}
