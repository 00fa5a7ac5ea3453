import { describe, expect, test } from 'vitest'
import { uptimeAge, UptimeClock, type StoredUptime } from './uptime-clock.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** A computer whose clock can be set, and programs on it, one after the other, that keep what they saw. */
function computer() {
  let [clock, running] = [Date.UTC(2026, 10, 22), 1000]
  let kept: StoredUptime | null = null
  return {
    start: () =>
      new UptimeClock({ kept, keep: (now) => (kept = now), now: () => clock, elapsed: () => running }),
    /** Time goes by while a program runs. */
    pass: (ms: number) => ((clock += ms), (running += ms)),
    /** Somebody sets the clock; or nothing of ours runs. */
    set: (ms: number) => (clock += ms),
  }
}

describe('seen time', () => {
  test('counts what passes while a program runs', () => {
    const here = computer()
    const time = here.start()
    here.pass(40 * DAY)
    expect(time.read()).toBe(40 * DAY)
  })

  test('a clock that is set ahead by a month or a century counts for a day, one that is set back for nothing', () => {
    const here = computer()
    const time = here.start()
    for (const ahead of [30 * DAY, 36_500 * DAY]) {
      const before = time.read()
      here.set(ahead)
      expect(time.read() - before).toBe(DAY)
      here.set(-ahead)
      here.pass(HOUR)
      expect(time.read() - before).toBe(DAY + HOUR)
    }
  })

  test('goes on over restarts, and what passed between them counts for a day at most', () => {
    const here = computer()
    const first = here.start()
    here.pass(HOUR)
    expect(first.read()).toBe(HOUR)
    first.keep()
    here.set(5 * HOUR)
    expect(here.start().read()).toBe(6 * HOUR)
    here.set(90 * DAY)
    expect(here.start().read()).toBe(6 * HOUR + DAY)
    here.set(-400 * DAY)
    expect(here.start().read()).toBe(6 * HOUR + DAY)
  })

  test('what has no stamp, or one from a count that was lost, is new', () => {
    expect([uptimeAge(null, 5), uptimeAge(undefined, 5), uptimeAge(9, 5), uptimeAge(2, 5)]).toEqual([
      0, 0, 0, 3,
    ])
  })
})
