const DAY_MS = 24 * 60 * 60 * 1000
/** So many 404 in a row, over so long, are believed of an operation that was answered well before. */
const DOUBTED_TIMES = 3
const DOUBTED_MS = 60_000

/** Remembers which operations a service does not offer, for a day or until somebody asks again. One per connection. */
export class Offered {
  #since = new Map<string, number>()
  /** Operations that were answered well, with the 404 that came since: how many, and the first. */
  #worked = new Map<string, { refused: number; first: number }>()
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

  /** The operation was answered well: it is offered. */
  worked(operationId: string): void {
    this.#worked.set(operationId, { refused: 0, first: 0 })
  }

  /**
   * Whether a 404 most likely says nothing about what is offered: the operation was answered well before, and has not
   * been refused for long. A service that starts, or stumbles, answers like this for a moment.
   */
  doubts(operationId: string): boolean {
    const worked = this.#worked.get(operationId)
    if (!worked) return false
    return worked.refused < DOUBTED_TIMES || this.#now() - worked.first < DOUBTED_MS
  }

  /** A 404 that was doubted: it counts. */
  doubted(operationId: string): void {
    const worked = this.#worked.get(operationId)
    if (!worked) return
    if (worked.refused++ === 0) worked.first = this.#now()
  }

  missing(operationId: string): void {
    this.#worked.delete(operationId)
    this.#since.set(operationId, this.#now())
  }

  /** Forgets what is known of one operation, or of all, so that the next call asks the service. */
  askAgain(operationId?: string): void {
    if (operationId === undefined) this.#since.clear()
    else this.#since.delete(operationId)
  }
}
