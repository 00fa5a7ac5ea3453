import { expect, test } from 'vitest'
import { textOf } from './contents.ts'

test.each([
  ['nothing', ''],
  ['plain text', 'motd=A server\n'],
  ['a byte order mark and line ends of Windows', '\ufeffa\r\nb\r\n'],
  ['mixed line ends', 'a\nb\r\nc\rd'],
  ['every script', '世界 مرحبا 🌍 é'],
  ['signs of control that logs hold', '\u001b[31mred\u001b[0m\t\f'],
])('%s is a text and comes back byte for byte', (_what, text) => {
  const bytes = Buffer.from(text)
  expect(textOf(bytes)).toBe(text)
  expect(Buffer.from(textOf(bytes) ?? '')).toEqual(bytes)
})

test.each([
  ['a zero byte', Buffer.from('PK\u0003\u0004\u0000')],
  ['UTF-16', Buffer.from('text', 'utf16le')],
  ['Latin-1', Buffer.from('Grüße', 'latin1')],
  ['half of a character at the end', Buffer.from('🌍').subarray(0, 3)],
  ['an overlong form', Buffer.from([0xc0, 0xaf])],
  ['half of a surrogate pair', Buffer.from([0xed, 0xa0, 0x80])],
])('%s is none', (_what, bytes) => expect(textOf(bytes)).toBeNull())
