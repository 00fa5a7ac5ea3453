import { setImmediate } from 'node:timers/promises'

/** Steps done in one go, and for how long in milliseconds, before others have their turn. */
const STEPS = 64
const MS = 10

/** Many short synchronous steps, with turns for everybody else in between: `await` alone gives none. */
export class Turns {
  #steps = 0
  #since = performance.now()

  /** To be awaited before each step. */
  async next(): Promise<void> {
    if (++this.#steps < STEPS && performance.now() - this.#since < MS) return
    await setImmediate()
    this.#steps = 0
    this.#since = performance.now()
  }
}
