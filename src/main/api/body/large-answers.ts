import type { Operation } from '../../../contract/declarations/operation.ts'
import type { RequestInput } from '../requests/request.ts'
import type { Clock } from '../../base/retry.ts'

const REST_MS = 30_000
const KNOWN_MOST = 200

/** Remembers requests whose answer was too large to read, so that polling doesn't pay for it again. */
export class LargeAnswers {
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
