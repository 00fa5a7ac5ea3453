const MOST_WAITING = 200

export class LineFull extends Error {
  override name = 'LineFull'
}

/** Limits concurrent requests to one host, and waits out its pauses. */
export class HostGate {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #inside = 0
  pausedUntil = 0
  /** Last failure to connect, monotonic ms; null after an answer. */
  failedAt: number | null = null

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  get isIdle(): boolean {
    return this.#inside === 0
  }

  /** Rejects with the signal's reason, or LineFull. */
  async during<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await act()
    } finally {
      const next = this.#waiting.shift()
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
