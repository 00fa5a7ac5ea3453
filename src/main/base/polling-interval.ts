/** Factor on battery. */
const SPARED = 4

export class PollingInterval {
  #times = 1

  get times(): number {
    return this.#times
  }

  spare(on: boolean): void {
    this.#times = on ? SPARED : 1
  }
}
