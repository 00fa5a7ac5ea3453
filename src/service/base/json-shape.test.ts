import { expect, test } from 'vitest'
import { isModest } from './json-shape.ts'

const modest = (text: string, values = 100, depth = 4) => isModest(Buffer.from(text), values, depth)

test('JSON is bounded by its values and its depth before it is parsed', () => {
  expect(modest(JSON.stringify({ items: Array.from({ length: 40 }, (_, at) => at) }))).toBe(true)
  expect(modest(`[${'1,'.repeat(200)}1]`)).toBe(false)
  expect(modest('['.repeat(5))).toBe(false)
  expect(modest('[[[[]]]]')).toBe(true)
  expect(modest(`{"a":${'{"a":'.repeat(4)}1`)).toBe(false)
})

test('what stands in texts is neither a value nor a depth', () => {
  expect(modest(JSON.stringify({ text: '[{,'.repeat(1000) }))).toBe(true)
  expect(modest(JSON.stringify({ text: String.raw`a\"[[[[[[,`.repeat(200) }))).toBe(true)
  expect(modest(JSON.stringify({ text: '\\', list: [[[[[1]]]]] }))).toBe(false)
  expect(modest('"a text without an end, [[[[[[')).toBe(true)
})
