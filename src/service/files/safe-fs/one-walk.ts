/** Shares one walk among callers. Those that come during a walk wait for the next, which sees their changes. */
export class OneWalk<T> {
  readonly #walk: () => Promise<T>
  #going: Promise<T> | null = null
  #next: Promise<T> | null = null

  constructor(walk: () => Promise<T>) {
    this.#walk = walk
  }

  /** The result of a walk that starts after this call. */
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
      // The waiting walk starts right after this.
      if (this.#going === going && !this.#next) this.#going = null
    })
    return (this.#going = going)
  }
}
