import { type PartId, refusalText, type RefusalText } from '../../../contract/messages/refusals/index.ts'
import { Counter, type Quota } from '../../../host/counter.ts'
import { Refusal } from '../../../host/refusal.ts'
import { type LimitName, LIMITS } from './limits.ts'

export type Count = [name: LimitName, key: string]

/** Replaces figures of the table. */
export type LimitChanges = Partial<Record<LimitName, Quota>>

/** Count before trying, so that parallel requests cannot slip through. */
export class Limiter {
  readonly #counters: ReadonlyMap<LimitName, Counter>

  /** @param now monotonic clock in milliseconds */
  constructor(now: () => number, changes: LimitChanges = {}) {
    const names = Object.keys(LIMITS) as LimitName[]
    this.#counters = new Map(
      names.map((name) => [name, new Counter({ ...LIMITS[name], ...changes[name] }, now)]),
    )
  }

  /** Counts one try per pair. Refuses with 429 and `Retry-After` if one is used up. */
  take(...counts: Count[]): void {
    for (const [name, key] of counts) {
      const wait = this.#of(name).take(key)
      if (wait === 0) continue
      const { code, what } = LIMITS[name]
      if (code === undefined || what === undefined) throw new Error(`${name} has no sentence`)
      const seconds = Math.max(1, Math.ceil(wait / 1000))
      throw new Refusal(429, code, tooMany(what, seconds)).with({ 'Retry-After': String(seconds) })
    }
  }

  /** Counts all, or none and returns false. */
  tryAll(...counts: Count[]): boolean {
    const full = counts.findIndex(([name, key]) => this.#of(name).take(key) > 0)
    if (full >= 0) this.giveBack(...counts.slice(0, full))
    return full < 0
  }

  /** Gives back what was counted for `work`, unless it is refused with the code `wrong`. */
  async guess<T>(counts: readonly Count[], wrong: string, work: () => T | Promise<T>): Promise<T> {
    let isWrong = false
    try {
      return await work()
    } catch (error) {
      isWrong = error instanceof Refusal && error.code === wrong
      throw error
    } finally {
      if (!isWrong) this.giveBack(...counts)
    }
  }

  giveBack(...counts: Count[]): void {
    for (const [name, key] of counts) this.#of(name).giveBack(key)
  }

  forget = (...[name, key]: Count): void => this.#of(name).forget(key)
  begin = (...[name, key]: Count): void => this.#of(name).begin(key)
  has = (...[name, key]: Count): boolean => this.#of(name).has(key)

  #of(name: LimitName): Counter {
    return this.#counters.get(name)!
  }
}

function tooMany(what: PartId, seconds: number): RefusalText {
  if (seconds < 90) return refusalText('request.wait.seconds', { what, count: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90
    ? refusalText('request.wait.minutes', { what, count: minutes })
    : refusalText('request.wait.hours', { what, count: Math.ceil(minutes / 60) })
}
