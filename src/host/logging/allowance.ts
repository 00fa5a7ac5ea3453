interface Rate {
  entries: number
  characters: number
}

/** Anyone can cause ordinary entries, so warnings and errors have their own rate. A flood leaves minutes of log. */
const RATES: Record<'ordinary' | 'grave', Rate> = {
  ordinary: { entries: 200, characters: 64 * 1024 },
  grave: { entries: 50, characters: 128 * 1024 },
}
const WINDOW_MS = 1000
const WARN = 40

/** Rate limit for log entries. Dropped ones are counted and reported in one entry. */
export class Allowance {
  readonly #put: (line: string) => void
  readonly #left = { ordinary: { ...RATES.ordinary }, grave: { ...RATES.grave } }
  #leftOut = 0
  #window: NodeJS.Timeout | null = null

  constructor(put: (line: string) => void) {
    this.#put = put
  }

  takes(level: number, characters: number): boolean {
    this.#window ??= setTimeout(() => this.#renew(), WINDOW_MS).unref()
    const left = this.#left[level >= WARN ? 'grave' : 'ordinary']
    if (left.entries <= 0 || left.characters <= 0) {
      this.#leftOut++
      return false
    }
    left.entries--
    left.characters -= characters
    return true
  }

  tell(): void {
    const count = this.#leftOut
    if (count === 0) return
    this.#leftOut = 0
    const msg = `${count} entries were left out here: more arrived within a second than are kept`
    this.#put(`${JSON.stringify({ level: WARN, time: Date.now(), msg })}\n`)
  }

  close(): void {
    if (this.#window) clearTimeout(this.#window)
    this.#window = null
    this.tell()
  }

  #renew(): void {
    this.#window = null
    for (const kind of ['ordinary', 'grave'] as const) this.#left[kind] = { ...RATES[kind] }
    this.tell()
  }
}
