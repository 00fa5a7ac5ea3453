import { expect, test } from 'vitest'
import { agingClock } from './clock.ts'

const HOUR = 60 * 60 * 1000

test('a disk on which seen time cannot be kept ends nothing: it is counted on, and kept when there is room again', () => {
  let isFull = true
  let kept = { seen: 0, at: 0 }
  let now = 0
  const clock = agingClock(
    { now: () => now, elapsed: () => now },
    {
      read: () => null,
      write(given) {
        if (isFull) throw new Error('database or disk is full')
        kept = given
      },
    },
  )
  now += HOUR
  // A timer asks it the same: what it throws there would end the service, with all its games.
  expect(clock.seen()).toBe(HOUR)
  isFull = false
  now += HOUR
  expect(clock.seen()).toBe(2 * HOUR)
  expect(kept.seen).toBe(2 * HOUR)
  isFull = true
  clock.stop()
})
