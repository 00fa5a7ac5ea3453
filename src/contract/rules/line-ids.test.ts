import { expect, test } from 'vitest'
import { formatLineId, parseLineId, sameLine } from './line-ids.ts'

test.each(['1-0', '12-345', 'a-b-7', '2026-01-02-3'])('%s is taken apart and put together again', (id) => {
  expect(formatLineId(parseLineId(id)!)).toBe(id)
})

test.each(['', '-', '1-', '-1', '1', 'a-b', '1--', '1-1e3', '1-0x1', '1- 1', `1-${'9'.repeat(20)}`])(
  '%j is no id of a line',
  (id) => {
    expect(parseLineId(id)).toBe(null)
  },
)

test('two ids are compared by epoch and number', () => {
  const id = (seq: number, epoch = '1') => ({ epoch, seq })
  expect([
    sameLine(id(1), id(1)),
    sameLine(id(1), id(2)),
    sameLine(id(1), id(1, '2')),
    sameLine(id(1), null),
  ]).toEqual([true, false, false, false])
})
