/** `Promise.race` against one long-lived promise would retain every value raced against it. */
export class Patience {
  #reject: ((error: Error) => void) | null = null
  #over: Error | null = null

  get waits(): boolean {
    return this.#reject !== null
  }

  /** Rejects once `giveUp` is called. One at a time. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#reject = reject
        promise.then(resolve, reject)
        if (this.#over) reject(this.#over)
      })
    } finally {
      this.#reject = null
    }
  }

  /** Rejects the current wait and all later ones. */
  giveUp(error: Error): void {
    this.#over ??= error
    this.#reject?.(error)
  }
}
