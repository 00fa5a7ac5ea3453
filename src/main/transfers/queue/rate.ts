/** The rate is that of the last so many ms. */
const WINDOW_MS = 5000

/** Bytes per second over the last seconds, from what the receiving side has confirmed. */
export class Rate {
  #marks: { at: number; bytes: number }[] = []

  /** So many bytes more are confirmed now. */
  add(bytes: number, now: number): void {
    this.#marks.push({ at: now, bytes })
  }

  /** Something began or goes on: from here on time counts. */
  begin(now: number): void {
    if (this.#marks.length === 0) this.#marks.push({ at: now, bytes: 0 })
  }

  /** Nothing moves any more. */
  stop(): void {
    this.#marks = []
  }

  /** Null while nothing has moved. */
  read(now: number): number | null {
    const since = now - WINDOW_MS
    // The last mark before the window stays, as the moment from which the first one in it counts.
    while (this.#marks.length > 1 && (this.#marks[1]?.at ?? now) <= since) this.#marks.shift()
    const [first, ...later] = this.#marks
    if (!first || later.length === 0) return null
    const sum = later.reduce((total, { bytes }) => total + bytes, 0)
    const span = now - Math.max(first.at, since)
    return sum === 0 ? null : Math.round((sum * 1000) / Math.max(span, 50))
  }
}
