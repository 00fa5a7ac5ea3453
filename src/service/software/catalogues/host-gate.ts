/** Waiting for longer in a host's line helps nobody. */
const MOST_WAITING = 200

/** Too many already wait for this host. */
export class LineFull extends Error {
  override name = 'LineFull'
}

/** The line before one host: so many requests at once, and none while the host wants to be left alone. */
export class HostGate {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #inside = 0
  /** Until when nothing is asked, in ms of the clock that nobody can set. */
  pausedUntil = 0
  /** When it could not be reached for the last time, by the same clock; null after an answer. */
  failedAt: number | null = null

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  get isIdle(): boolean {
    return this.#inside === 0
  }

  /** Does something as soon as it is its turn. Rejects with the signal's reason, or LineFull. */
  async during<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await act()
    } finally {
      const next = this.#waiting.shift()
      // The place passes from one to the next.
      if (next) next()
      else this.#inside -= 1
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#inside < this.#atOnce) {
      this.#inside += 1
      return
    }
    if (this.#waiting.length >= MOST_WAITING) throw new LineFull('Too many requests wait for this host.')
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(enter)
    })
  }
}
