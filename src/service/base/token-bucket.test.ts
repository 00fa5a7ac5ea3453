import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('a bucket lets through a burst, then one after the other, and again a burst after a rest', () => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 10 })
  const take = (now: number) => bucket.take(now, 250)
  expect([take(0), take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 100, 200])
  // Longer than anybody waits: no place is taken.
  expect([take(0), take(0)]).toEqual([300, 300])
  expect(take(150)).toBe(150)
  expect([take(1000), take(1000), take(1000), take(1000)]).toEqual([0, 0, 0, 100])
})
