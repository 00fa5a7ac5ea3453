const DAY_MS = 24 * 60 * 60 * 1000

/** Remembers which operations a service does not offer, for a day or until somebody asks again. One per connection. */
export class Offered {
  #since = new Map<string, number>()
  #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Since when the operation is known not to be offered (ms since 1970), or null where it may be asked. */
  missingSince(operationId: string): number | null {
    const since = this.#since.get(operationId)
    if (since === undefined) return null
    if (this.#now() - since < DAY_MS) return since
    this.#since.delete(operationId)
    return null
  }

  missing(operationId: string): void {
    this.#since.set(operationId, this.#now())
  }

  /** Forgets what is known of one operation, or of all, so that the next call asks the service. */
  askAgain(operationId?: string): void {
    if (operationId === undefined) this.#since.clear()
    else this.#since.delete(operationId)
  }
}
