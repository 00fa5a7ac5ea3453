/** On battery what services do not tell by themselves is asked for so many times less often. */
const SPARED = 4

/** How often services are asked for what they do not tell: lists of servers, and what an event stream would tell. */
export class PollingInterval {
  #times = 1

  /** By what each pause is longer than it would be. */
  get times(): number {
    return this.#times
  }

  /** The computer runs on its battery, or no longer. */
  spare(on: boolean): void {
    this.#times = on ? SPARED : 1
  }
}
