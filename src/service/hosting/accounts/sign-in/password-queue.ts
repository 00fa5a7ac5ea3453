import { LaneFull, Lanes } from '../../../../contract/rules/lanes.ts'
import { refusal } from '../../../../host/refusal.ts'

/** Strangers and known addresses wait in separate lanes, each with its own room. */
export interface Waiter {
  lane: 'known' | 'stranger'
  group: string
}

/** More at the same time would starve file and DNS work of libuv's four threads. */
const BOUNDS = { atOnce: 2, waiting: 100, waitingPerLane: 16 }

/** Lanes take turns, and groups within a lane. */
export class PasswordQueue {
  readonly #turns: Lanes
  readonly #groups: Readonly<Record<Waiter['lane'], Lanes>>

  constructor(bounds = BOUNDS) {
    this.#turns = new Lanes({ atOnce: bounds.atOnce })
    this.#groups = { known: new Lanes(bounds), stranger: new Lanes(bounds) }
  }

  /** Refuses with 429 `service.busy` if the lane is full. */
  async run<T>({ lane, group }: Waiter, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#groups[lane].run(group, () => this.#turns.run(lane, work))
    } catch (error) {
      if (error instanceof LaneFull) throw refusal(429, 'service.busy').with({ 'Retry-After': '5' })
      throw error
    }
  }
}
