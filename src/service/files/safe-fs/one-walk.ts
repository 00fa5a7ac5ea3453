/**
 * A walk through something large, once for all who want it: while one goes, who comes waits for the next, which sees
 * what they did before. However many ask, one goes at a time.
 */
export class OneWalk<T> {
  readonly #walk: () => Promise<T>
  #going: Promise<T> | null = null
  #next: Promise<T> | null = null

  constructor(walk: () => Promise<T>) {
    this.#walk = walk
  }

  /** What a walk found that began after this was asked for. */
  found(): Promise<T> {
    if (!this.#going) return this.#begin()
    return (this.#next ??= this.#going.then(
      () => this.#begin(),
      () => this.#begin(),
    ))
  }

  #begin(): Promise<T> {
    this.#next = null
    const going = this.#walk().finally(() => {
      // One that waits begins right after this.
      if (this.#going === going && !this.#next) this.#going = null
    })
    return (this.#going = going)
  }
}
