import { systemClock, type Clock } from './retry.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Remembers which operations a service does not offer, for a day or until somebody asks again. One per connection. */
export class Offered {
  /** When it was found out: for people, and by a clock that nobody can set. */
  readonly #missing = new Map<string, { since: number; at: number }>()
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>

  constructor(clock: Pick<Clock, 'now' | 'elapsed'> = systemClock) {
    this.#clock = clock
  }

  /** Since when the operation is known not to be offered (ms since 1970), or null where it may be asked. */
  missingSince(operationId: string): number | null {
    const known = this.#missing.get(operationId)
    if (known === undefined) return null
    if (this.#clock.elapsed() - known.at < DAY_MS) return known.since
    this.#missing.delete(operationId)
    return null
  }

  missing(operationId: string): void {
    this.#missing.set(operationId, { since: this.#clock.now(), at: this.#clock.elapsed() })
  }

  /** Forgets what is known of one operation, or of all, so that the next call asks the service. */
  askAgain(operationId?: string): void {
    if (operationId === undefined) this.#missing.clear()
    else this.#missing.delete(operationId)
  }
}
