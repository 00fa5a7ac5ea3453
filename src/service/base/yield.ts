/** How long all long work together may hold everybody else up at a time, in milliseconds. */
const SLICE_MS = 5

const waiting: (() => void)[] = []
let ticking = false
let since = 0

/** A round is over: others had their turn. The first that waits goes on, and no other one in this round. */
function tick(): void {
  const go = waiting.shift()
  if (!go) {
    ticking = false
    return
  }
  since = performance.now()
  setImmediate(tick)
  go()
}

/**
 * Many short synchronous steps, with turns for everybody else in between: `await` alone gives none. All who do such work
 * share one slice of time in each round of the event loop: a hundred of them hold others up for as long as one does.
 */
export class Yielder {
  /** To be awaited before each step. */
  next(): Promise<void> | undefined {
    const now = performance.now()
    if (!ticking) {
      ticking = true
      since = now
      setImmediate(tick)
      return undefined
    }
    if (waiting.length === 0 && now - since < SLICE_MS) return undefined
    return this.turn()
  }

  /** To be awaited before one step that is as long as a slice itself: nobody else's comes in the same round. */
  turn(): Promise<void> {
    if (!ticking) {
      ticking = true
      setImmediate(tick)
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
}
