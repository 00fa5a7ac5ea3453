import type { Problem } from '../../contract/bridge/problem.ts'
import { backoffMs, type Clock } from './retry.ts'

const DELAY_FIRST_MS = 500
const DELAY_MOST_MS = 30_000

/** Codes of a connection that is away: the transfer waits for it, however long that takes. */
export const away: ReadonlySet<string> = new Set(['offline', 'signed-out', 'local-failed', 'untrusted'])
/** Codes of a service that may take the same a little later. */
const later = new Set(['rate-limited', 'service-failed'])

/**
 * Whether a service that said this may take the same a little later. What it did not confirm is sent again: a file that
 * was sent before is compared with what is there, and never doubled.
 */
export const passes = (why: Problem): boolean =>
  (later.has(why.code) && why.retryable) || why.code === 'unconfirmed'

/** Why a transfer waits, and until when. */
export interface Delay {
  problem: Problem
  /** ms of the clock's `elapsed`. */
  until: number
  attempt: number
}

/** Transfers that wait for a service, each longer from time to time, and the waking when the first may go on. */
export class Backoff {
  readonly #clock: Clock
  readonly #wake: () => void
  readonly #delays = new Map<string, Delay>()
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
  }

  /** Why a transfer waits now; null where it may go on, whatever it waited for before. */
  get(transferId: string): Delay | null {
    const delay = this.#delays.get(transferId)
    return delay && delay.until > this.#clock.elapsed() ? delay : null
  }

  add(transferId: string, why: Problem): void {
    const attempt = (this.#delays.get(transferId)?.attempt ?? -1) + 1
    const wait =
      why.retryAfter === undefined
        ? backoffMs(attempt, DELAY_FIRST_MS, DELAY_MOST_MS, this.#clock.random())
        : why.retryAfter * 1000
    this.#delays.set(transferId, { problem: why, until: this.#clock.elapsed() + wait, attempt })
  }

  /** It moves, or begins anew: the next fault is a new one. */
  delete(transferId: string): void {
    this.#delays.delete(transferId)
  }

  /**
   * A service that was away answers again: what waits for that goes on, and what failed at it goes on too, since it may
   * have been stopping then. What it refused for a while does not.
   */
  reached(transferId: string): void {
    const delay = this.#delays.get(transferId)
    if (delay && (away.has(delay.problem.code) || delay.problem.code === 'service-failed')) delay.until = 0
  }

  /** Wakes the queue then, ms of the clock's `elapsed`, and not when it was to be woken before. */
  wakeAt(at: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (at === Infinity || this.#closed) return
    this.#timer = setTimeout(this.#wake, Math.max(at - this.#clock.elapsed(), 0) + 1)
  }

  /** Wakes the queue a little later: what it keeps itself in did not take something. */
  wakeSoon(): void {
    this.wakeAt(this.#clock.elapsed() + DELAY_FIRST_MS)
  }

  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
