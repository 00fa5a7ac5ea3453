export interface PaceLimits {
  burst: number
  everyMs: number
}

/** Token bucket. */
export class Pace {
  readonly #limits: PaceLimits
  /** When the bucket is full again, in ms. */
  #paidAt = 0

  constructor(limits: PaceLimits) {
    this.#limits = limits
  }

  /** Ms to wait; null, without taking a slot, if longer than `most`. @param now monotonic ms */
  take(now: number, most: number): number | null {
    const { burst, everyMs } = this.#limits
    const paidAt = Math.max(this.#paidAt, now) + everyMs
    const wait = Math.max(0, paidAt - now - burst * everyMs)
    if (wait > most) return null
    this.#paidAt = paidAt
    return wait
  }
}
