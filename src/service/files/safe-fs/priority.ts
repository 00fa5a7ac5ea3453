import { setTimeout } from 'node:timers/promises'

/** How long what goes on behind gives way to what was just done for somebody who waits, in milliseconds. */
const AFTER_MS = 100
/** How long a piece of work gives way in all, in milliseconds: somebody waits for it too. */
const MOST_MS = 2000

let until = 0

/** Something is done that somebody waits for: to be called before each of its steps. */
export function goFirst(): void {
  until = performance.now() + AFTER_MS
}

/** Long work that goes on behind. */
export class GivingWay {
  #left = MOST_MS

  /** To be awaited now and then. */
  async next(): Promise<void> {
    for (;;) {
      const ms = Math.min(until - performance.now(), this.#left)
      if (ms <= 0) return
      this.#left -= ms
      await setTimeout(ms)
    }
  }
}
