import type { Log } from '../logging/log.ts'

/** While something moves it is told at most every so many ms. */
const TELL_EVERY = 250

/** Tells how things stand: never twice at the same time, and what comes in quick succession together. */
export class Telling {
  readonly #tell: () => Promise<void>
  readonly #log: Log
  #running: Promise<void> | null = null
  #again: 'now' | 'soon' | null = null
  #last = 0
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(tell: () => Promise<void>, log: Log) {
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
      this.#timer ??= setTimeout(() => {
        this.#timer = null
        this.changed(true)
      }, wait)
      return
    }
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#last = performance.now()
    this.#running = this.#tell()
      .catch((error: unknown) => this.#log.warn('the transfers could not be told', { err: error }))
      .finally(() => {
        this.#running = null
        const again = this.#again
        this.#again = null
        if (again !== null) this.changed(again === 'now')
      })
  }

  /** Nothing more is told. */
  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  /** Resolves when what is being told just now is told. */
  async over(): Promise<void> {
    await this.#running
  }
}
