/** Leads a page to places, once it hears: of several that came before, the last one counts. */
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

  /** Its page says that it hears. */
  ready(): void {
    this.#hears = true
    if (this.#waiting !== null) this.#send(this.#waiting)
    this.#waiting = null
  }

  /** Its page is loaded, the first time or again: until that says so, nobody hears. */
  anew(): void {
    this.#hears = false
  }
}
