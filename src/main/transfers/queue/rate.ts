const WINDOW_MS = 5000

/** Recent bytes per second, as confirmed by the receiver. */
export class Rate {
  #marks: { at: number; bytes: number }[] = []

  add(bytes: number, now: number): void {
    this.#marks.push({ at: now, bytes })
  }

  begin(now: number): void {
    if (this.#marks.length === 0) this.#marks.push({ at: now, bytes: 0 })
  }

  stop(): void {
    this.#marks = []
  }

  /** Null before anything moved. */
  read(now: number): number | null {
    const since = now - WINDOW_MS
    // Keep the last mark before the window: time counts from there.
    while (this.#marks.length > 1 && (this.#marks[1]?.at ?? now) <= since) this.#marks.shift()
    const [first, ...later] = this.#marks
    if (!first || later.length === 0) return null
    const sum = later.reduce((total, { bytes }) => total + bytes, 0)
    const span = now - Math.max(first.at, since)
    return sum === 0 ? null : Math.round((sum * 1000) / Math.max(span, 50))
  }
}
