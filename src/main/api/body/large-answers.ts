import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Given } from '../requests/request.ts'
import type { Clock } from '../../base/retry.ts'

/** For so long the same is not asked again, in ms. */
const REST_MS = 30_000
/** Questions that are remembered at most. */
const KNOWN_MOST = 200

/** What was answered with more than can be read: the next poll would cost as much, and find the same. */
export class LargeAnswers {
  readonly #until = new Map<string, number>()
  readonly #clock: Pick<Clock, 'elapsed'>

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  has(op: Operation, given: Given): boolean {
    return op.kind === 'read' && (this.#until.get(keyOf(op, given)) ?? 0) > this.#clock.elapsed()
  }

  add(op: Operation, given: Given): void {
    const key = keyOf(op, given)
    this.#until.delete(key)
    this.#until.set(key, this.#clock.elapsed() + REST_MS)
    if (this.#until.size > KNOWN_MOST)
      for (const oldest of this.#until.keys()) return void this.#until.delete(oldest)
  }

  /** Forgets what is known of one operation, or of all. */
  forget(operationId?: string): void {
    const begin = operationId === undefined ? '' : `["${operationId}"`
    for (const key of this.#until.keys()) if (key.startsWith(begin)) this.#until.delete(key)
  }
}

const keyOf = ({ id }: Operation, { params, query }: Given): string => JSON.stringify([id, params, query])
