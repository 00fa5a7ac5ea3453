/** Requests begun per round of the event loop; beginning one takes a third of a millisecond. */
const AT_ONCE = 8

/** Begins requests round-robin by asker: sending hundreds at the same time delays only the sender. */
export class Admission {
  readonly #waiting = new Map<string, (() => void)[]>()
  #begun = 0
  #ticking = false

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
