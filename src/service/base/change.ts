export type Stop = () => void

export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #failed: ((error: unknown) => void) | null

  /** `failed` receives what a listener throws, so other listeners still run. */
  constructor(failed: ((error: unknown) => void) | null = null) {
    this.#failed = failed
  }

  on(listener: (value: T) => void): Stop {
    // Wrapped, so the same function can subscribe twice.
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
