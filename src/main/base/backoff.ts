import { BUSY, type Problem } from '../../contract/bridge/problem.ts'
import { backoffMs, type Clock } from './retry.ts'

const DELAY_FIRST_MS = 500
const DELAY_MOST_MS = 30_000

/** Codes of an unreachable connection; transfers wait indefinitely. */
export const away: ReadonlySet<string> = new Set(['offline', 'signed-out', 'local-failed', 'untrusted'])
const later = new Set(['rate-limited', 'service-failed'])

/** Unconfirmed uploads are compared with what the service has, so a retry never duplicates them. */
export const passes = (why: Problem): boolean =>
  (later.has(why.code) && why.retryable) || why.code === 'unconfirmed'

export interface Delay {
  problem: Problem
  /** ms of the clock's `elapsed`. */
  until: number
  attempt: number
}

/** Delays of transfers that wait for a service, growing with each attempt. */
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

  /** On progress or restart: the next fault starts a new series. */
  delete(transferId: string): void {
    this.#delays.delete(transferId)
  }

  /**
   * A service is reachable again: resume what waited for that or failed with it. Delays set by the service itself
   * remain.
   */
  reached(transferId: string): void {
    const delay = this.#delays.get(transferId)
    if (delay && (away.has(delay.problem.code) || delay.problem.code === 'service-failed')) delay.until = 0
  }

  /** A server settled that refused files while it was busy. */
  settled(transferId: string): void {
    const delay = this.#delays.get(transferId)
    if (delay?.problem.detail === BUSY) delay.until = 0
  }

  /** Wakes the queue at `at`, in ms of `elapsed`; replaces an earlier wake-up. */
  wakeAt(at: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (at === Infinity || this.#closed) return
    this.#timer = setTimeout(this.#wake, Math.max(at - this.#clock.elapsed(), 0) + 1)
  }

  wakeSoon(): void {
    this.wakeAt(this.#clock.elapsed() + DELAY_FIRST_MS)
  }

  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
