import type { Log } from '../logging/log.ts'

const TELL_EVERY = 250
const TELL_AGAIN = 1000

/** Broadcasts without overlap, merging frequent changes. */
export class ThrottledBroadcast {
  readonly #tell: () => Promise<{ moves: boolean }>
  readonly #log: Log
  #running: Promise<void> | null = null
  #again: 'now' | 'soon' | null = null
  #last = 0
  #timer: NodeJS.Timeout | null = null
  #next = 0
  #closed = false

  /** @param tell returns whether something moves; then its rate is reported again soon */
  constructor(tell: () => Promise<{ moves: boolean }>, log: Log) {
    this.#tell = tell
    this.#log = log
  }

  changed(now: boolean): void {
    if (this.#closed) return
    if (this.#running) {
      this.#again = now ? 'now' : (this.#again ?? 'soon')
      return
    }
    const wait = now ? 0 : this.#last + TELL_EVERY - performance.now()
    if (wait > 0) {
      this.#tellIn(wait)
      return
    }
    this.#rest()
    this.#last = performance.now()
    this.#running = this.#tell()
      .catch((error: unknown) => {
        this.#log.warn('the transfers could not be told', { err: error })
        return { moves: false }
      })
      .then(({ moves }) => {
        this.#running = null
        const again = this.#again
        this.#again = null
        if (again !== null) this.changed(again === 'now')
        else if (moves) this.#tellIn(TELL_AGAIN)
      })
  }

  /** Unless it is due sooner. */
  #tellIn(ms: number): void {
    const at = performance.now() + ms
    if (this.#closed || (this.#timer && this.#next <= at)) return
    this.#rest()
    this.#next = at
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.changed(true)
    }, ms)
  }

  #rest(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  close(): void {
    this.#closed = true
    this.#rest()
  }

  async over(): Promise<void> {
    await this.#running
  }
}
