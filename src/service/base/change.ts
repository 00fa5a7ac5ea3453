/** Ends a subscription. Calling it twice does nothing. */
export type Stop = () => void

/** A list of listeners. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #failed: ((error: unknown) => void) | null

  /** `failed`: told what a listener throws, which then keeps neither the others nor who tells from going on. */
  constructor(failed: ((error: unknown) => void) | null = null) {
    this.#failed = failed
  }

  /** Calls back on each `tell`, until stopped. */
  on(listener: (value: T) => void): Stop {
    // Wrapped, so that the same function given twice is two subscriptions.
    const own = (value: T) => listener(value)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  tell(value: T): void {
    for (const listener of [...this.#listeners])
      try {
        listener(value)
      } catch (error) {
        if (!this.#failed) throw error
        this.#failed(error)
      }
  }
}
