import type { Clock } from '../base/clock.ts'

/** In ms, doubling up to `most`. */
export interface Pauses {
  /** After a server failure. */
  all: { first: number; most: number }
  /** After the server deferred one mail. */
  one: { first: number; most: number }
}

const PAUSES: Pauses = { all: { first: 1000, most: 60_000 }, one: { first: 10_000, most: 5 * 60_000 } }

const pauseOf = ({ first, most }: { first: number; most: number }, tries: number) =>
  Math.min(first * 2 ** Math.min(tries, 20), most)

/** Yields each mail once it is due, and again until it is forgotten. Iterate only once. */
export class RetrySchedule {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #pauses: Pauses
  readonly #all = new Map<string, { at: number; tries: number }>()
  #allAt = 0
  #allTries = 0
  #ended = false
  #wake: () => void = () => {}

  constructor(clock: Pick<Clock, 'elapsed'>, pauses = PAUSES) {
    this.#clock = clock
    this.#pauses = pauses
  }

  get size(): number {
    return this.#all.size
  }

  add(name: string): void {
    this.#all.set(name, { at: 0, tries: 0 })
    this.#wake()
  }

  forget(name: string): void {
    this.#all.delete(name)
  }

  later(name: string): void {
    const one = this.#all.get(name)
    if (one) one.at = this.#clock.elapsed() + pauseOf(this.#pauses.one, one.tries++)
  }

  /** Returns the number of consecutive pauses. */
  pauseAll(): number {
    this.#allAt = this.#clock.elapsed() + pauseOf(this.#pauses.all, this.#allTries)
    return ++this.#allTries
  }

  /** Returns true if there was a pause. */
  goOn(): boolean {
    const paused = this.#allTries > 0
    this.#allTries = 0
    return paused
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (!this.#ended) {
      const next = this.#next()
      if ('name' in next) yield next.name
      else await this.#waitFor(next.inMs)
    }
  }

  #next(): { name: string } | { inMs: number } {
    const now = this.#clock.elapsed()
    let inMs = Infinity
    for (const [name, { at }] of this.#all) {
      const from = Math.max(at, this.#allAt)
      if (from <= now) return { name }
      inMs = Math.min(inMs, from - now)
    }
    return { inMs }
  }

  #waitFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms < Infinity ? setTimeout(resolve, ms) : undefined
      this.#wake = () => (clearTimeout(timer), resolve())
    })
  }
}
