import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JavaSettings, openJavaSettings } from '../../../tests/fixtures/java-settings.ts'
import { javaBoolean, javaInt, javaLong, visible } from './java-values.ts'

let java: JavaSettings
beforeAll(async () => {
  java = await openJavaSettings()
})
afterAll(() => java.close())

test('a switch is read as Java reads it: in every case, and with nothing beside it', async () => {
  const around = fc.constantFrom('', '', '', ' ', '\t', '\u00a0', '\ufeff', '\u200b', '\n', '\0')
  const letters = ['tTŧ', 'rR', 'uUüµ', 'eEé'].map((some) => fc.constantFrom(...some[0]!, ...some))
  const word = fc.oneof(
    fc.tuple(...letters).map((all) => all.join('')),
    fc.constantFrom('', 'false', '1', 'yes'),
  )
  await fc.assert(
    fc.asyncProperty(around, word, around, async (before, said, after) => {
      const value = before + said + after
      expect(javaBoolean(value)).toBe(await java.boolean(value))
    }),
  )
})

test('a number is read as Java reads it, in the digits of every script', async () => {
  const part = fc.constantFrom(...'0129+- \t.eE_١２०', '\u00a0', '\ufeff', '𝟙', '214748364', '000000000000')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
      const value = parts.join('')
      expect([value, javaInt(value)]).toEqual([value, await java.int(value)])
    }),
    { numRuns: 500 },
  )
  for (let code = 0; code < 0xd800; code++) {
    const digit = String.fromCharCode(code)
    if (/\p{Nd}/u.test(digit)) expect([digit, javaInt(digit)]).toEqual([digit, await java.int(digit)])
  }
})

test('an int ends at 31 bits and a long at 63', () => {
  expect(['2147483647', '-2147483648', '2147483648'].map(javaInt)).toEqual([2147483647, -2147483648, null])
  expect(['9223372036854775808', '-60000', '1'.repeat(20)].map(javaLong)).toEqual([null, -60000, null])
})

test('what nobody sees is left out at both ends', () => {
  expect(visible('\ufeff \u00a0true \u200b\t')).toBe('true')
  expect(['', ' ', 'a  b', ' 🐻'].map(visible)).toEqual(['', '', 'a  b', '🐻'])
})
