import { refusal } from '../../../base/refusal.ts'

/** Strangers and known addresses wait in separate lanes, each with its own room. */
export interface Waiter {
  lane: 'known' | 'stranger'
  group: string
}

export interface QueueBounds {
  atOnce: number
  waiting: number
  waitingPerGroup: number
}

interface Turn {
  go(): void
  refuse(): void
}

/**
 * Runs expensive work a few at a time. Lanes take turns, and groups within a lane; in a full lane, the largest group
 * gives way.
 */
export class FairQueue {
  readonly #bounds: QueueBounds
  readonly #lanes: Record<Waiter['lane'], Lane>
  #running = 0
  #last: Waiter['lane'] = 'stranger'

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
    this.#lanes = { known: new Lane(bounds), stranger: new Lane(bounds) }
  }

  /** Refuses with 429 `service.busy` if the lane is full. */
  async run<T>(who: Waiter, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#bounds.atOnce) await this.#wait(who)
    else this.#running += 1
    try {
      return await work()
    } finally {
      // Hand the place on directly, so that nobody slips in between.
      const next = this.#next()
      if (next) next.go()
      else this.#running -= 1
    }
  }

  #wait({ lane, group }: Waiter): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const refuse = () => reject(busy())
      if (!this.#lanes[lane].add(group, { go: resolve, refuse })) refuse()
    })
  }

  #next(): Turn | undefined {
    const other = this.#last === 'known' ? 'stranger' : 'known'
    for (const lane of [other, this.#last] as const) {
      const turn = this.#lanes[lane].take()
      if (!turn) continue
      this.#last = lane
      return turn
    }
    return undefined
  }
}

class Lane {
  readonly #bounds: QueueBounds
  readonly #groups = new Map<string, Turn[]>()
  #size = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  add(group: string, turn: Turn): boolean {
    const mine = this.#groups.get(group) ?? []
    if (mine.length >= this.#bounds.waitingPerGroup) return false
    if (this.#size >= this.#bounds.waiting && !this.#displace(mine.length + 1)) return false
    mine.push(turn)
    this.#groups.set(group, mine)
    this.#size += 1
    return true
  }

  take(): Turn | undefined {
    for (const [group, turns] of this.#groups) {
      const turn = turns.shift()
      this.#groups.delete(group)
      if (turns.length > 0) this.#groups.set(group, turns)
      if (!turn) continue
      this.#size -= 1
      return turn
    }
    return undefined
  }

  /** Displaces from the largest group if it has more than `count` waiting. */
  #displace(count: number): boolean {
    let most: Turn[] = []
    for (const turns of this.#groups.values()) if (turns.length > most.length) most = turns
    if (most.length <= count) return false
    most.pop()?.refuse()
    this.#size -= 1
    return true
  }
}

const busy = () => refusal(429, 'service.busy').with({ 'Retry-After': '5' })
