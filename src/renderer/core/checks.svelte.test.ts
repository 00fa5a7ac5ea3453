import { expect, test } from 'vitest'
import { bareCode } from './checks.ts'

test('a code of digits is pasted with whatever stands between them', () => {
  for (const pasted of ['123456', ' 123 456\n', '123-456', '12 34 56', '\u00a0123\u2009456'])
    expect(bareCode(pasted), JSON.stringify(pasted)).toBe('123456')
})

test('a code of another form is sent as it is', () => {
  expect(bareCode(' AB-12 cd ')).toBe('AB-12 cd')
})
