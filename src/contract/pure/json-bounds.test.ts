import { expect, test } from 'vitest'
import { isWithin, JsonBounds } from './json-bounds.ts'

const within = (text: string, marks: number, depth = 100) => isWithin({ marks, depth }, Buffer.from(text))

test.each([
  ['[[],[],[]]', 6],
  ['{"a":0,"b":[1,2]}', 6],
  ['{"[{:,":"\\"],[\\\\","ü,":"\\u005b"}', 4],
  ['"[,,,,"', 0],
  ['  0.5  ', 0],
])('%s has %i marks', (text, marks) => {
  expect(within(text, marks)).toBe(true)
  if (marks > 0) expect(within(text, marks - 1)).toBe(false)
})

test('depth counts lists and objects that are open at the same time', () => {
  expect(within('[{"a":[]},{"b":[]}]', 100, 3)).toBe(true)
  expect(within('[{"a":[]},{"b":[[]]}]', 100, 3)).toBe(false)
})

test('where the bytes are cut makes no difference', () => {
  const text = Buffer.from('{"a\\"[":["\\\\",[1,{"ö":"\\\\\\""}]],"b":[]}')
  for (let at = 0; at <= text.length; at++) {
    for (const [marks, fits] of [
      [11, true],
      [10, false],
    ] as const) {
      const bounds = new JsonBounds({ marks, depth: 4 })
      const first = bounds.take(text.subarray(0, at))
      expect(first && bounds.take(text.subarray(at)), `cut at ${at}`).toBe(fits)
    }
  }
})
