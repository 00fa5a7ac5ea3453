import { LargeAnswers } from './body/large-answers.ts'
import { systemClock, type Clock } from '../base/retry.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** So many 404 in a row, over so long, are believed of an operation that was answered well before. */
const DOUBTED_TIMES = 3
const DOUBTED_MS = 60_000

/** Remembers which operations a service does not offer, for a day or until somebody asks again. One per connection. */
export class Offered {
  /** When it was found out: for people, and by a clock that nobody can set. */
  readonly #missing = new Map<string, { since: number; at: number }>()
  /** Operations that were answered well, with the 404 that came since: how many, and the first. */
  readonly #worked = new Map<string, { refused: number; first: number }>()
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>
  readonly large: LargeAnswers

  constructor(clock: Pick<Clock, 'now' | 'elapsed'> = systemClock) {
    this.#clock = clock
    this.large = new LargeAnswers(clock)
  }

  /** Since when the operation is known not to be offered (ms since 1970), or null where it may be asked. */
  missingSince(operationId: string): number | null {
    const known = this.#missing.get(operationId)
    if (known === undefined) return null
    if (this.#clock.elapsed() - known.at < DAY_MS) return known.since
    this.#missing.delete(operationId)
    return null
  }

  /** The operation was answered well: it is offered. */
  worked(operationId: string): void {
    this.#worked.set(operationId, { refused: 0, first: 0 })
  }

  /**
   * Whether a 404 most likely says nothing about what is offered: the operation was answered well before, and has not
   * been refused for long. A service that starts, or stumbles, answers like this for a moment.
   */
  doubts(operationId: string): boolean {
    const worked = this.#worked.get(operationId)
    if (!worked) return false
    return worked.refused < DOUBTED_TIMES || this.#clock.elapsed() - worked.first < DOUBTED_MS
  }

  /** A 404 that was doubted: it counts. */
  doubted(operationId: string): void {
    const worked = this.#worked.get(operationId)
    if (!worked) return
    if (worked.refused++ === 0) worked.first = this.#clock.elapsed()
  }

  missing(operationId: string): void {
    this.#worked.delete(operationId)
    this.#missing.set(operationId, { since: this.#clock.now(), at: this.#clock.elapsed() })
  }

  /** Forgets what is known of one operation, or of all, so that the next call asks the service. */
  askAgain(operationId?: string): void {
    if (operationId === undefined) this.#missing.clear()
    else this.#missing.delete(operationId)
    this.large.forget(operationId)
  }
}
