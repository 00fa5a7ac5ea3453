/** No room to wait, or a shorter lane took the place. */
export class LaneFull extends Error {
  override name = 'LaneFull'
}

/** Default: unlimited. */
export interface LaneBounds {
  /** Running in all lanes together. */
  atOnce?: number
  perLane?: number
  /** Waiting in all lanes together. When full, the longest lane gives way. */
  waiting?: number
  waitingPerLane?: number
}

interface Waiter {
  start: () => void
  refuse: (reason: Error) => void
}

/** Runs work a few at a time. Lanes take turns; within a lane, first come, first served. */
export class Lanes {
  readonly #bounds: Required<LaneBounds>
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #next = new Map<string, Promise<unknown>>()
  #runningInAll = 0
  #waitingInAll = 0

  constructor(bounds: LaneBounds) {
    const unlimited = { atOnce: Infinity, perLane: Infinity, waiting: Infinity, waitingPerLane: Infinity }
    this.#bounds = { ...unlimited, ...bounds }
  }

  isIdle(lane: string): boolean {
    return !this.#running.has(lane)
  }

  /** Starts before returning if there is room. While waiting, rejects with LaneFull or the signal's reason. */
  async run<T>(lane: string, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#hasRoom(lane)) this.#begin(lane)
    else await this.#wait(lane, signal)
    try {
      return await work()
    } finally {
      this.#end(lane)
    }
  }

  /** Like `run`, until the returned function is called. */
  enter(lane: string, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.run(lane, () => new Promise<void>(resolve), signal).catch(reject)
    })
  }

  /** Runs work once for all who ask before it starts, so it sees what they changed. Needs `perLane: 1`. */
  share<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const next = this.#next.get(lane)
    if (next) return next as Promise<T>
    const mine = this.run(lane, async () => {
      // `run` may start before `mine` is stored.
      await Promise.resolve()
      this.#next.delete(lane)
      return work()
    })
    this.#next.set(lane, mine)
    return mine
  }

  #hasRoom(lane: string): boolean {
    const { atOnce, perLane } = this.#bounds
    return this.#runningInAll < atOnce && (this.#running.get(lane) ?? 0) < perLane
  }

  #begin(lane: string): void {
    this.#runningInAll += 1
    this.#running.set(lane, (this.#running.get(lane) ?? 0) + 1)
  }

  #end(lane: string): void {
    const left = (this.#running.get(lane) ?? 1) - 1
    this.#runningInAll -= 1
    if (left > 0) this.#running.set(lane, left)
    else this.#running.delete(lane)
    for (const [next, [waiter]] of this.#waiting) {
      if (!waiter || !this.#hasRoom(next)) continue
      this.#remove(next, waiter)
      const rest = this.#waiting.get(next)
      // To the end of the round.
      if (rest && this.#waiting.delete(next)) this.#waiting.set(next, rest)
      // Counted here already, so that nobody slips in between.
      this.#begin(next)
      return waiter.start()
    }
  }

  #wait(lane: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const settled = () => signal?.removeEventListener('abort', leave)
      const waiter: Waiter = {
        start: () => (settled(), resolve()),
        refuse: (reason: Error) => (settled(), reject(reason)),
      }
      const leave = () => {
        this.#remove(lane, waiter)
        reject(signal?.reason as Error)
      }
      this.#add(lane, waiter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #add(lane: string, waiter: Waiter): void {
    const { waiting, waitingPerLane } = this.#bounds
    const own = this.#waiting.get(lane) ?? new Set()
    if (own.size >= waitingPerLane) throw new LaneFull('Too many wait in this lane.')
    if (this.#waitingInAll >= waiting) this.#displace(own.size + 1)
    this.#waitingInAll += 1
    this.#waiting.set(lane, own.add(waiter))
  }

  /** Refuses the last of the longest lane. Throws LaneFull if none has more than `count`. */
  #displace(count: number): void {
    let longest: [string, Set<Waiter>] | null = null
    for (const entry of this.#waiting) if (entry[1].size > (longest?.[1].size ?? count)) longest = entry
    const last = longest && [...longest[1]].at(-1)
    if (!longest || !last) throw new LaneFull('Too many wait.')
    this.#remove(longest[0], last)
    last.refuse(new LaneFull('Too many wait.'))
  }

  #remove(lane: string, waiter: Waiter): void {
    const waiting = this.#waiting.get(lane)
    if (!waiting?.delete(waiter)) return
    this.#waitingInAll -= 1
    if (waiting.size === 0) this.#waiting.delete(lane)
  }
}

/** Awaits shared work; an abort ends only this wait. */
export async function unlessAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared
  signal.throwIfAborted()
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
