/** Many may read while nobody removes. First come, first served, so a removal isn't put off forever. */
export class Gate {
  #inside = 0
  #isClosed = false
  readonly #waiting: { alone: boolean; enter: () => void }[] = []

  /** Resolves with what leaves again; call it once. */
  async enter(alone: boolean, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const place = {
        alone,
        enter: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1)
        reject(signal!.reason as Error)
        this.#next()
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(place)
      this.#next()
    })
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      this.#inside--
      this.#isClosed = false
      this.#next()
    }
  }

  #next(): void {
    for (;;) {
      const first = this.#waiting[0]
      if (!first || this.#isClosed || (first.alone && this.#inside > 0)) return
      this.#waiting.shift()
      this.#inside++
      this.#isClosed = first.alone
      first.enter()
    }
  }
}
