/** How often a host may be asked. */
export interface PaceLimits {
  /** Requests that may follow each other at once, after a rest. */
  burst: number
  /** After so many ms there may be one more. */
  everyMs: number
}

/** Spreads requests over time, so that a host need not refuse any. */
export class Pace {
  readonly #limits: PaceLimits
  /** When all that were let through will have been paid for, in ms. */
  #paidAt = 0

  constructor(limits: PaceLimits) {
    this.#limits = limits
  }

  /**
   * Takes a place, and answers in how many ms its turn is; null where that is longer than `most`, and no place is taken.
   *
   * @param now ms by a clock that nobody can set
   */
  take(now: number, most: number): number | null {
    const { burst, everyMs } = this.#limits
    const paidAt = Math.max(this.#paidAt, now) + everyMs
    const wait = Math.max(0, paidAt - now - burst * everyMs)
    if (wait > most) return null
    this.#paidAt = paidAt
    return wait
  }
}
