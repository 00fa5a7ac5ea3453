/** Sends places to a page once it listens; only the last one counts. */
export class PageLine {
  readonly #send: (place: string) => void
  #hears = false
  #waiting: string | null = null

  constructor(send: (place: string) => void) {
    this.#send = send
  }

  go(place: string): void {
    if (this.#hears) this.#send(place)
    else this.#waiting = place
  }

  ready(): void {
    this.#hears = true
    if (this.#waiting !== null) this.#send(this.#waiting)
    this.#waiting = null
  }

  anew(): void {
    this.#hears = false
  }
}
