import { expect, test } from 'vitest'
import { ACCOUNT_LIMITS, createLimiter } from './limits.ts'

const limits = {
  ...ACCOUNT_LIMITS,
  signInPerPair: { points: 1, seconds: 600 },
  signInPerAccount: { points: 1_000, seconds: 600 },
}

test('filling the memory with keys frees nobody from what is counted for an account', async () => {
  const limiter = createLimiter(limits)
  for (let i = 0; i < 1_000; i++)
    expect(await limiter.tryOne('signInPerAccount', 'ann@example.org')).toBe(true)
  for (let i = 0; i < 50_000; i++) await limiter.tryOne('signInPerAccount', `nobody-${i}@example.org`)
  expect(await limiter.tryOne('signInPerAccount', 'ann@example.org')).toBe(false)
  // The keys, which strangers invent, share so few counters that they do not use up those of others.
  expect(await limiter.tryOne('signInPerAccount', 'ben@example.org')).toBe(true)
})

test('of other counts so many are kept, and the one that was not used for longest is forgiven', async () => {
  const limiter = createLimiter(limits)
  const tryOne = (key: string) => limiter.tryOne('signInPerPair', key)
  await tryOne('first')
  await tryOne('second')
  expect(await tryOne('first')).toBe(false)
  for (let i = 0; i < 19_999; i++) await tryOne(`other ${i}`)
  expect([await tryOne('first'), await tryOne('second')]).toEqual([false, true])
})

test('what is given back when its time is over is no credit for the next', async () => {
  const limiter = createLimiter(limits)
  await limiter.giveBack('signInPerPair', 'ann')
  expect([
    await limiter.tryOne('signInPerPair', 'ann'),
    await limiter.tryOne('signInPerPair', 'ann'),
  ]).toEqual([true, false])
})
