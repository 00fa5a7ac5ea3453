import { refusal } from '../../../base/refusal.ts'

/** Who waits: strangers and those whom an address vouches for wait in lanes of their own, each with its own room. */
export interface Waiter {
  lane: 'known' | 'stranger'
  /** Whose work it is: all of one asker's takes turns with all of another's. */
  group: string
}

/** Pieces of work done at once, how many may wait in a lane, and how many of them may be one group's. */
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
 * Does dear work a few at a time. Who fills it with work holds up nobody else for long: the lanes take turns, and within
 * a lane the groups do; where a lane is full, whoever has most waiting in it gives way.
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

  /** Runs `work` in its turn. Refuses with 429 `service.busy` where too much waits already. */
  async run<T>(who: Waiter, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#bounds.atOnce) await this.#wait(who)
    else this.#running += 1
    try {
      return await work()
    } finally {
      // The place is handed on, not given back, so that nobody slips in between.
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
  /** Those whose turn comes next stand first. */
  readonly #groups = new Map<string, Turn[]>()
  #size = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  /** False where there is no room. */
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

  /** Makes room at the cost of whoever has most waiting, if that is more than `count`. */
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
