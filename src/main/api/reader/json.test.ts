import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

test('an integer that a double would round comes as its digits', () => {
  expect(
    parseJson('{"id": 12345678901234567890, "n": [9007199254740993, 5, 1.5, 1e30, -12345678901234567890]}'),
  ).toEqual({ id: '12345678901234567890', n: ['9007199254740993', 5, 1.5, 1e30, '-12345678901234567890'] })
})

test('everything else is parsed as ever', () => {
  const text = JSON.stringify({ a: '12345678901234567890', time: 1_700_000_000_000, b: [true, null] })
  expect(parseJson(text)).toEqual(JSON.parse(text))
  expect(() => parseJson('{"a": 1234567890123456')).toThrow(SyntaxError)
})
