/** Factor on battery. */
const SPARED = 4

/** How often to poll for what services do not push: lists of servers, and live data without an event stream. */
export class PollingInterval {
  #times = 1

  /** Factor for every pause. */
  get times(): number {
    return this.#times
  }

  /** On battery. */
  spare(on: boolean): void {
    this.#times = on ? SPARED : 1
  }
}
