/**
 * Waits for one promise after the other, until it is given up. `Promise.race` with one promise that lasts would hold
 * whatever was raced against it for as long as that one lasts: of a body, every chunk.
 */
export class Patience {
  #reject: ((error: Error) => void) | null = null
  #over: Error | null = null

  /** Whether it waits for something now. */
  get waits(): boolean {
    return this.#reject !== null
  }

  /** Answers as the promise does, or rejects as soon as it is given up. One at a time. */
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

  /** Ends what is waited for now, and all that is later. */
  giveUp(error: Error): void {
    this.#over ??= error
    this.#reject?.(error)
  }
}
