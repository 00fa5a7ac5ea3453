import { expect, test } from 'vitest'
import { z } from 'zod'
import { changesOf, fileName, listOf } from './shapes.ts'

test('names of files are no paths, and hold nothing that a system or Paper refuses', () => {
  expect(fileName('paper-1.21.11-129.jar')).toBe('paper-1.21.11-129.jar')
  expect(fileName('..\\..\\../evil+!.jar')).toBe('evil__.jar')
  expect(fileName('.hidden')).toBe('hidden')
  expect(fileName('..')).toBe('server.jar')
  expect(fileName('a'.repeat(500) + '.jar')).toHaveLength(120)
})

test('of changes only so many are told, one line each', () => {
  const told = changesOf(
    Array.from({ length: 200 }, () => ({ message: `\n  ${'x'.repeat(500)}\nmore` })),
    'message',
  ).changes
  expect(told).toHaveLength(50)
  expect(told[0]).toBe('x'.repeat(200))
})

test('a list with one strange entry is read, one of strange entries alone or of too many is not', async () => {
  const numbers = listOf(z.number())
  expect(await numbers.parseAsync([1, 'two', 3])).toEqual([1, 3])
  expect(await numbers.parseAsync([])).toEqual([])
  expect((await numbers.safeParseAsync(['one', null])).success).toBe(false)
  expect((await numbers.safeParseAsync(Array(20_001).fill(1))).success).toBe(false)
})

test('commits that are none are no changes', () => {
  expect(changesOf([null, 7, {}, { message: 7 }, { message: 'Fix' }], 'message')).toEqual({
    changes: ['Fix'],
  })
})
