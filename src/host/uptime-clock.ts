/** What is kept of seen time over restarts, both in milliseconds: its count, and what the computer's clock said then. */
export interface StoredUptime {
  seen: number
  at: number
}

export interface UptimeClockPorts {
  /** What was kept last; null where nothing was yet. */
  kept: StoredUptime | null
  keep(now: StoredUptime): void
  /** The computer's clock: milliseconds since 1970. It can be set, ahead and back. */
  now(): number
  /** Milliseconds that passed while this program runs; nobody can set it. */
  elapsed(): number
}

/** While nobody counted, a program off or a computer asleep, at most so much counts at once, in milliseconds. */
const UNSEEN_MOST = 24 * 60 * 60 * 1000
/** It is kept when it grew by so much, in milliseconds. */
const KEEP_EVERY = 10 * 60 * 1000

/**
 * The time that the programs of a data folder have seen passing, in milliseconds since the first of them began. By this,
 * and not by the computer's clock, ages what is removed for its age: it never goes back, and a clock that jumps ahead
 * moves it by a day at most. It may count less than went by, so that things stay longer; never more than a day too much.
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

  /** Counts on, and answers the count in whole milliseconds. To be called at least hourly, so that little of it is lost with the program. */
  read(): number {
    const [at, elapsed] = [this.#ports.now(), this.#ports.elapsed()]
    const ran = Math.max(0, elapsed - this.#elapsed)
    // What the clock says beyond that: a sleep, or the time before this program, or a clock that was set.
    const unseen = Math.min(Math.max(0, at - this.#at - ran), UNSEEN_MOST)
    this.#seen += ran + unseen
    this.#at = at
    this.#elapsed = elapsed
    if (this.#seen - this.#keptSeen >= KEEP_EVERY) this.keep()
    return Math.floor(this.#seen)
  }

  /** Keeps the count as it is; to be called at the end too. */
  keep(): void {
    this.#keptSeen = this.#seen
    this.#ports.keep({ seen: this.#seen, at: this.#at })
  }
}

/**
 * How long ago something was by seen time, in milliseconds. One that has no stamp, or one of a count that was lost, is
 * as new as can be.
 */
export const uptimeAge = (stamp: number | null | undefined, seen: number): number =>
  stamp === null || stamp === undefined ? 0 : Math.max(0, seen - stamp)
