/** Persisted state, in ms: counted time, and the system clock at that moment. */
export interface StoredUptime {
  seen: number
  at: number
}

interface UptimeClockPorts {
  kept: StoredUptime | null
  keep(now: StoredUptime): void
  /** System clock, ms since 1970. Can be set forward and back. */
  now(): number
  elapsed(): number
}

/** Limit for a gap while the program was off or the computer asleep, in ms. */
const UNSEEN_MOST = 24 * 60 * 60 * 1000
const KEEP_EVERY = 10 * 60 * 1000

/**
 * Time seen by the programs of a data folder, in ms since the first start. Expiry uses it instead of the system clock:
 * it never goes back, and a clock that jumps ahead moves it by a day at most. It may undercount, so things stay longer.
 */
export class UptimeClock {
  readonly #ports: UptimeClockPorts
  #seen: number
  #at: number
  #elapsed: number
  #keptSeen: number

  constructor(ports: UptimeClockPorts) {
    this.#ports = ports
    this.#seen = ports.kept?.seen ?? 0
    this.#at = ports.kept?.at ?? ports.now()
    this.#elapsed = ports.elapsed()
    this.#keptSeen = -Infinity
  }

  /** Updates and returns the count in ms. Call at least hourly to limit the loss in a crash. */
  read(): number {
    const [at, elapsed] = [this.#ports.now(), this.#ports.elapsed()]
    const ran = Math.max(0, elapsed - this.#elapsed)
    // The rest is sleep, time before this program started, or a changed clock.
    const unseen = Math.min(Math.max(0, at - this.#at - ran), UNSEEN_MOST)
    this.#seen += ran + unseen
    this.#at = at
    this.#elapsed = elapsed
    if (this.#seen - this.#keptSeen >= KEEP_EVERY) this.keep()
    return Math.floor(this.#seen)
  }

  keep(): void {
    this.#keptSeen = this.#seen
    this.#ports.keep({ seen: this.#seen, at: this.#at })
  }
}

/** Age by seen time, in ms. Without a stamp, or with one from a lost count, it is 0. */
export const uptimeAge = (stamp: number | null | undefined, seen: number): number =>
  stamp === null || stamp === undefined ? 0 : Math.max(0, seen - stamp)
