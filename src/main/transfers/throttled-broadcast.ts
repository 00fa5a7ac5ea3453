import type { Log } from '../logging/log.ts'

/** While something moves it is told at most every so many ms. */
const TELL_EVERY = 250
/** Where nothing comes although something moved a moment ago, how fast it is is told anew after so many ms. */
const TELL_AGAIN = 1000

/** Tells how things stand: never twice at the same time, and what comes in quick succession together. */
export class ThrottledBroadcast {
  readonly #tell: () => Promise<{ moves: boolean }>
  readonly #log: Log
  #running: Promise<void> | null = null
  #again: 'now' | 'soon' | null = null
  #last = 0
  #timer: NodeJS.Timeout | null = null
  /** When that is. */
  #next = 0
  #closed = false

  /** @param tell answers whether something moves: then what was told of its rate is true for a moment only */
  constructor(tell: () => Promise<{ moves: boolean }>, log: Log) {
    this.#tell = tell
    this.#log = log
  }

  /** Something changed: it is told at once, or a little later together with what comes meanwhile. */
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

  /** In so many ms, or when that was to be anyway if it is sooner. */
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

  /** Nothing more is told. */
  close(): void {
    this.#closed = true
    this.#rest()
  }

  /** Resolves when what is being told just now is told. */
  async over(): Promise<void> {
    await this.#running
  }
}
