import { setTimeout as wait } from 'node:timers/promises'
import { HostRefusal } from '../base/adapter.ts'

/** No limit is published: a burst, then one a second. */
const MOST = 60
const EACH_MS = 1000
/** Longer waits are refused, so that the caller knows when to come again. */
const WAIT_MOST_MS = 8000

/** Keeps requests to a pace that the host stands. */
export class RequestBudget {
  #left = MOST
  #at = performance.now()

  /** Throws a 429 if it takes too long. `isUrgent`: what a person just asked for doesn't wait. */
  async take(signal: AbortSignal, isUrgent: boolean): Promise<void> {
    const now = performance.now()
    this.#left = Math.min(MOST, this.#left + (now - this.#at) / EACH_MS)
    this.#at = now
    const ms = isUrgent ? 0 : Math.max(0, 1 - this.#left) * EACH_MS
    if (ms > WAIT_MOST_MS)
      throw new HostRefusal(429, 'Requests are paced.', { retryAfter: String(Math.ceil(ms / 1000)) })
    this.#left -= 1
    if (ms > 0) await wait(ms, undefined, { signal })
  }
}
