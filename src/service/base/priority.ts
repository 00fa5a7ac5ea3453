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

/**
 * Files that all long work together copies or brings to the disk at the same time: one for each of the four threads on
 * which libuv does what has to do with files. More would not be faster, and would stand in its queue in front of those who
 * wait: sixteen copies had 512 there, and a list of a folder took 392 ms.
 */
const BEHIND_AT_ONCE = 4

let free = BEHIND_AT_ONCE
const waiting: (() => void)[] = []

/** Does a step of long work that holds a thread for files. The steps of all work have their turns in order. */
export async function behind<T>(step: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await step()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
}
