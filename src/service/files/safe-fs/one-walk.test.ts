import { expect, test } from 'vitest'
import { OneWalk } from './one-walk.ts'

/** Walks that end when they are told to, each with its number. */
function heldWalks() {
  const ends: PromiseWithResolvers<number>[] = []
  const walk = new OneWalk(() => {
    const end = Promise.withResolvers<number>()
    ends.push(end)
    return end.promise
  })
  return { walk, ends, end: (at: number) => ends[at]?.resolve(at) }
}

test('who comes while a walk goes shares the one that begins after it', async () => {
  const { walk, ends, end } = heldWalks()
  const first = walk.found()
  const others = Array.from({ length: 20 }, () => walk.found())
  expect(ends).toHaveLength(1)
  end(0)
  expect(await first).toBe(0)
  await expect.poll(() => ends.length).toBe(2)
  const later = walk.found()
  end(1)
  expect(new Set(await Promise.all(others))).toEqual(new Set([1]))
  await expect.poll(() => ends.length).toBe(3)
  end(2)
  expect(await later).toBe(2)
})

test('two never go at the same time, also where one begins just as another ends', async () => {
  let going = 0
  const walk = new OneWalk(async () => {
    expect(++going).toBe(1)
    await Promise.resolve()
    going--
  })
  const asked: Promise<void>[] = []
  for (let at = 0; at < 200; at++) {
    asked.push(walk.found())
    if (at % 3 === 0) await Promise.resolve()
  }
  await Promise.all(asked)
  expect(going).toBe(0)
})

test('a walk that fails costs those who wait for it alone', async () => {
  const { walk, ends, end } = heldWalks()
  const first = walk.found()
  const second = walk.found()
  ends[0]?.reject(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await expect.poll(() => ends.length).toBe(2)
  end(1)
  expect(await second).toBe(1)
})
