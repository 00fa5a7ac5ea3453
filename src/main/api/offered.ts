import { LargeAnswers } from './body/large-answers.ts'
import { systemClock, type Clock } from '../base/retry.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Consecutive 404s before an operation that used to work counts as not offered. */
const DOUBTED_TIMES = 3
const DOUBTED_MS = 60_000

/** Operations a service does not offer; kept for a day or until asked again. One per connection. */
export class MissingOperations {
  /** Wall-clock time for display, monotonic time for expiry. */
  readonly #missing = new Map<string, { since: number; at: number }>()
  readonly #worked = new Map<string, { refused: number; first: number }>()
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>
  readonly large: LargeAnswers

  constructor(clock: Pick<Clock, 'now' | 'elapsed'> = systemClock) {
    this.#clock = clock
    this.large = new LargeAnswers(clock)
  }

  /** Ms since 1970; null if the operation may be sent. */
  missingSince(operationId: string): number | null {
    const known = this.#missing.get(operationId)
    if (known === undefined) return null
    if (this.#clock.elapsed() - known.at < DAY_MS) return known.since
    this.#missing.delete(operationId)
    return null
  }

  worked(operationId: string): void {
    this.#worked.set(operationId, { refused: 0, first: 0 })
  }

  /** Whether to ignore a 404: starting services answer 404 for a moment. */
  doubts(operationId: string): boolean {
    const worked = this.#worked.get(operationId)
    if (!worked) return false
    return worked.refused < DOUBTED_TIMES || this.#clock.elapsed() - worked.first < DOUBTED_MS
  }

  doubted(operationId: string): void {
    const worked = this.#worked.get(operationId)
    if (!worked) return
    if (worked.refused++ === 0) worked.first = this.#clock.elapsed()
  }

  missing(operationId: string): void {
    this.#worked.delete(operationId)
    this.#missing.set(operationId, { since: this.#clock.now(), at: this.#clock.elapsed() })
  }

  askAgain(operationId?: string): void {
    if (operationId === undefined) this.#missing.clear()
    else this.#missing.delete(operationId)
    this.large.forget(operationId)
  }
}
