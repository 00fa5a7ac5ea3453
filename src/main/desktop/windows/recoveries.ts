const BY_ITSELF = 3
/** After this many ms without a crash, the count resets. */
const WELL_MS = 10 * 60_000

/** Counts page crashes: the first three reload, then the user is asked. */
export class Recoveries {
  #crashes = 0
  #last = -Infinity

  crashed(now: number): 'reload' | 'ask' {
    if (now - this.#last >= WELL_MS) this.#crashes = 0
    this.#last = now
    this.#crashes++
    return this.#crashes <= BY_ITSELF ? 'reload' : 'ask'
  }

  begin(): void {
    this.#crashes = 0
  }
}
