import { expect, test } from 'vitest'
import { isWithin, JsonBounds } from './json-bounds.ts'

const within = (text: string, values: number, depth = 100) => isWithin({ values, depth }, Buffer.from(text))

test.each([
  ['[[],[],[]]', 7],
  ['{"a":0,"b":[1,2]}', 5],
  ['{"[{:,":"\\"],[\\\\","ü,":"\\u005b"}', 3],
  ['"[,,,,"', 1],
  ['  0.5  ', 1],
])('%s counts as %i values', (text, values) => {
  expect(within(text, values)).toBe(true)
  expect(within(text, values - 1)).toBe(false)
})

test('depth counts lists and objects that are open at the same time', () => {
  expect(within('[{"a":[]},{"b":[]}]', 100, 3)).toBe(true)
  expect(within('[{"a":[]},{"b":[[]]}]', 100, 3)).toBe(false)
})

test('where the bytes are cut makes no difference', () => {
  const text = Buffer.from('{"a\\"[":["\\\\",[1,{"ö":"\\\\\\""}]],"b":[]}')
  for (let at = 0; at <= text.length; at++) {
    for (const [values, fits] of [
      [9, true],
      [8, false],
    ] as const) {
      const bounds = new JsonBounds({ values, depth: 4 })
      const first = bounds.take(text.subarray(0, at))
      expect(first && bounds.take(text.subarray(at)), `cut at ${at}`).toBe(fits)
    }
  }
})

const modest = (text: string, values = 100, depth = 4) => isWithin({ values, depth }, Buffer.from(text))

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
