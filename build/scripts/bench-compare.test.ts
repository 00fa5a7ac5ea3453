import { expect, test } from 'vitest'
import { compared } from './bench-compare.js'

const figure = (value: number) => [{ name: 'one', value, unit: '×' }]
const rounds = (...pairs: [then: number, now: number][]) =>
  pairs.map(([then, now]) => ({ then: figure(then), now: figure(now) }))

test('a figure that is worse in every round is worse', () => {
  const { table, worse } = compared(rounds([1, 1.2], [2, 2.2], [1, 1.3]))
  expect(worse).toBe(true)
  expect(table).toMatch(/one .*1\.20× \(1\.10–1\.30\) +WORSE/)
})

test('one that is worse in some rounds alone is the same, and so is one that stays nothing', () => {
  expect(compared(rounds([1, 1.3], [1, 0.9], [1, 1.2]))).toMatchObject({ worse: false })
  expect(compared(rounds([0, 0], [0, 0]))).toMatchObject({
    worse: false,
    table: expect.stringContaining('same'),
  })
})

test('a figure that got less in every round is better', () => {
  expect(compared(rounds([2, 1], [2, 1.5])).table).toContain('better')
})

test('a figure that only one of the two has is named, and judged by nothing', () => {
  const { table, worse } = compared([{ then: [], now: figure(1) }])
  expect(table).toContain('not in both')
  expect(worse).toBe(false)
})
