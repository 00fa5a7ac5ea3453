import { setTimeout } from 'node:timers/promises'
import { Lanes } from '../../contract/rules/lanes.ts'

/** Background work pauses this long after a foreground step, in ms. */
const AFTER_MS = 100
/** Longest total pause, in ms: background work has to finish too. */
const MOST_MS = 2000

let until = 0

/** Call before each foreground step. */
export function goFirst(): void {
  until = performance.now() + AFTER_MS
}

export class BackgroundPacer {
  #left = MOST_MS

  async next(): Promise<void> {
    for (;;) {
      const ms = Math.min(until - performance.now(), this.#left)
      if (ms <= 0) return
      this.#left -= ms
      await setTimeout(ms)
    }
  }
}

/** One per libuv thread: more would fill its queue and delay foreground requests. */
const BEHIND_AT_ONCE = 4

const steps = new Lanes({ atOnce: BEHIND_AT_ONCE })

/** Runs a background step that blocks a file thread. First come, first served. */
export const behind = <T>(step: () => Promise<T>): Promise<T> => steps.run('', step)
