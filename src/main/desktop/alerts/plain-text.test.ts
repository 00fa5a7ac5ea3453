import { expect, it } from 'vitest'
import { menuLabel, plainLine, withoutMarkup } from './plain-text.ts'

it('a text of a stranger becomes one short line', () => {
  expect(plainLine('My\r\n  server\u0007\u001b[31m', 60)).toBe('My server [31m')
  // Turned around, this would read as another name.
  expect(plainLine('safe\u202egpj.exe\u2066', 60)).toBe('safegpj.exe')
  expect(plainLine('a'.repeat(1_000_000), 10)).toBe(`${'a'.repeat(9)}…`)
  expect(plainLine('👩‍👩‍👧'.repeat(5).replaceAll('\u200d', ''), 100)).toBe('👩👩👧'.repeat(5))
  expect(plainLine(null, 10)).toBe('')
})

it('is no markup on Linux, and marks no letter in a menu', () => {
  expect(withoutMarkup('<a href="x">Tom & Jerry</a>')).toBe('‹a href="x"›Tom ＆ Jerry‹/a›')
  expect(menuLabel('Tom & Jerry')).toBe('Tom && Jerry')
})
