import { expect, test } from 'vitest'
import { Limiter, type LimitChanges } from './limiter.ts'

const limits: LimitChanges = {
  signInPerPair: { points: 1, seconds: 600 },
  signInPerAccount: { points: 1_000, seconds: 600 },
}

test('filling the memory with keys frees nobody from what is counted for an account', () => {
  const limiter = new Limiter(() => 0, limits)
  for (let i = 0; i < 1_000; i++) expect(limiter.tryAll(['signInPerAccount', 'ann@example.org'])).toBe(true)
  for (let i = 0; i < 50_000; i++) limiter.tryAll(['signInPerAccount', `nobody-${i}@example.org`])
  expect(limiter.tryAll(['signInPerAccount', 'ann@example.org'])).toBe(false)
  // The keys, which strangers invent, share so few counters that they do not use up those of others.
  expect(limiter.tryAll(['signInPerAccount', 'ben@example.org'])).toBe(true)
})

test('of other counts so many are kept, and the one that was not used for longest is forgiven', () => {
  const limiter = new Limiter(() => 0, limits)
  const tryOne = (key: string) => limiter.tryAll(['signInPerPair', key])
  tryOne('first')
  tryOne('second')
  expect(tryOne('first')).toBe(false)
  for (let i = 0; i < 19_999; i++) tryOne(`other ${i}`)
  expect([tryOne('first'), tryOne('second')]).toEqual([false, true])
})

test('what is given back when its time is over is no credit for the next', () => {
  let now = 0
  const limiter = new Limiter(() => now, limits)
  limiter.take(['signInPerPair', 'ann'])
  now = 600_000
  limiter.giveBack(['signInPerPair', 'ann'])
  expect([limiter.tryAll(['signInPerPair', 'ann']), limiter.tryAll(['signInPerPair', 'ann'])]).toEqual([
    true,
    false,
  ])
})
