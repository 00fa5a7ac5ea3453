import { expect, test } from 'vitest'
import { Counter } from './counter.ts'

test('a rate lets through a burst, then one after the other, and again a burst after a rest', () => {
  let now = 0
  const counter = new Counter({ burst: 3, perSecond: 10 }, () => now)
  const take = (at: number) => ((now = at), counter.take('key', 250))
  expect([take(0), take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 100, 200])
  // Longer than anybody waits: no place is taken.
  expect([take(0), take(0)]).toEqual([300, 300])
  expect(take(150)).toBe(150)
  expect([take(1000), take(1000), take(1000), take(1000)]).toEqual([0, 0, 0, 100])
})
