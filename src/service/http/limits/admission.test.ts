import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Admission } from './admission.ts'

test('one request behind a thousand of somebody else is begun with the next of theirs', async () => {
  const admission = new Admission()
  let theirs = 0
  let own: number | null = null
  for (let at = 0; at < 1000; at++) admission.admit('greedy', () => theirs++)
  admission.admit('other', () => (own = theirs))
  expect(theirs).toBeLessThan(20)
  while (own === null) await setImmediate()
  expect(own).toBeLessThan(30)
  while (theirs < 1000) await setImmediate()
})

test('where nobody else asks, a request is begun at once', async () => {
  const admission = new Admission()
  for (let round = 0; round < 3; round++) {
    let begun = false
    admission.admit('one', () => (begun = true))
    expect(begun).toBe(true)
    await setImmediate()
    await setImmediate()
  }
})

test('what one asker asks is begun in order', async () => {
  const admission = new Admission()
  const order: number[] = []
  for (let at = 0; at < 100; at++) admission.admit(at % 2 ? 'a' : 'b', () => order.push(at))
  while (order.length < 100) await setImmediate()
  expect(order.filter((at) => at % 2)).toEqual(Array.from({ length: 50 }, (_, at) => at * 2 + 1))
})
