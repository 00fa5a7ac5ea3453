const SLICE_MS = 5

const waiting: (() => void)[] = []
let ticking = false
let since = 0

/** Starts a new round: resumes the first in line. */
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

/** Yields to the event loop, which `await` alone doesn't. All long work shares one time slice per round. */
export class Yielder {
  /** Await before each step. */
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

  /** Await before a step as long as a whole slice; it gets a round to itself. */
  turn(): Promise<void> {
    if (!ticking) {
      ticking = true
      setImmediate(tick)
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
}
