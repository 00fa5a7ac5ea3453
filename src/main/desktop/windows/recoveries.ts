/** Crashes of a window's page after which it is loaded again by itself. */
const BY_ITSELF = 3
/** A page that stood so long, in ms, is well again: crashes before are forgotten. */
const WELL_MS = 10 * 60_000

/** Counts how often a page crashed: three times it comes back by itself, then a person is asked. */
export class Recoveries {
  #crashes = 0
  #last = -Infinity

  /** What to do about a crash at `now`, a time that passes, in ms. */
  crashed(now: number): 'reload' | 'ask' {
    if (now - this.#last >= WELL_MS) this.#crashes = 0
    this.#last = now
    this.#crashes++
    return this.#crashes <= BY_ITSELF ? 'reload' : 'ask'
  }

  /** A person wants to try again. */
  begin(): void {
    this.#crashes = 0
  }
}
