/** Requests that are begun in one round of the event loop: to begin one takes a third of a millisecond. */
const AT_ONCE = 8

/**
 * Begins requests in turns, one of each asker after the other: who sends hundreds at once waits for themselves, and who
 * sends one behind them is next.
 */
export class Admission {
  /** What waits, by asker. An asker who had a turn comes last. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #begun = 0
  #ticking = false

  /** Calls `begin`, now or in its turn. */
  admit(asker: string, begin: () => void): void {
    if (!this.#ticking) {
      this.#ticking = true
      setImmediate(this.#tick)
    }
    if (this.#begun < AT_ONCE && this.#waiting.size === 0) {
      this.#begun++
      return begin()
    }
    const own = this.#waiting.get(asker)
    if (own) own.push(begin)
    else this.#waiting.set(asker, [begin])
  }

  readonly #tick = (): void => {
    this.#begun = 0
    if (this.#waiting.size === 0) {
      this.#ticking = false
      return
    }
    setImmediate(this.#tick)
    for (; this.#begun < AT_ONCE; this.#begun++) {
      const [next] = this.#waiting
      if (!next) return
      const [asker, own] = next
      this.#waiting.delete(asker)
      const begin = own.shift()
      if (own.length > 0) this.#waiting.set(asker, own)
      begin?.()
    }
  }
}
