import type { Clock } from '../base/clock.ts'

/** Milliseconds; each next pause is twice as long as the one before, up to `most`. */
export interface Pauses {
  /** After the mail server could not be used. */
  all: { first: number; most: number }
  /** After it put one mail off. */
  one: { first: number; most: number }
}

const PAUSES: Pauses = { all: { first: 1000, most: 60_000 }, one: { first: 10_000, most: 5 * 60_000 } }

const pauseOf = ({ first, most }: { first: number; most: number }, tries: number) =>
  Math.min(first * 2 ** Math.min(tries, 20), most)

/** Whose turn it is, of all that wait: the first that came and does not pause. Iterated, it waits for the next; once. */
export class Turns {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #pauses: Pauses
  /** In the order in which they came, with the moment (`elapsed`) of their next turn. */
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

  /** Its next turn is after a pause. */
  later(name: string): void {
    const one = this.#all.get(name)
    if (one) one.at = this.#clock.elapsed() + pauseOf(this.#pauses.one, one.tries++)
  }

  /** Nobody's turn is before a pause. Answers how many there were in a row. */
  pauseAll(): number {
    this.#allAt = this.#clock.elapsed() + pauseOf(this.#pauses.all, this.#allTries)
    return ++this.#allTries
  }

  /** The next pause is a first one again. Answers whether there was one. */
  goOn(): boolean {
    const paused = this.#allTries > 0
    this.#allTries = 0
    return paused
  }

  /** Ends the iteration. */
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
