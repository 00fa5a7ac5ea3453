import { systemClock, type Clock } from '../base/retry.ts'
import type { Operation } from '../../contract/declarations/operation.ts'
import type { RequestInput } from './requests/request.ts'

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

const REST_MS = 30_000
const KNOWN_MOST = 200

/** Remembers requests whose answer was too large to read, so that polling doesn't pay for it again. */
class LargeAnswers {
  readonly #until = new Map<string, number>()
  readonly #clock: Pick<Clock, 'elapsed'>

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  has(op: Operation, given: RequestInput): boolean {
    return op.kind === 'read' && (this.#until.get(keyOf(op, given)) ?? 0) > this.#clock.elapsed()
  }

  add(op: Operation, given: RequestInput): void {
    const key = keyOf(op, given)
    this.#until.delete(key)
    this.#until.set(key, this.#clock.elapsed() + REST_MS)
    if (this.#until.size > KNOWN_MOST)
      for (const oldest of this.#until.keys()) return void this.#until.delete(oldest)
  }

  forget(operationId?: string): void {
    const begin = operationId === undefined ? '' : `["${operationId}"`
    for (const key of this.#until.keys()) if (key.startsWith(begin)) this.#until.delete(key)
  }
}

const keyOf = ({ id }: Operation, { params, query }: RequestInput): string =>
  JSON.stringify([id, params, query])
