import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromBytes, toBytes } from './raw-names.ts'

test('names that are valid UTF-8 stay as they are, whatever is in them', () => {
  for (const name of ['level.dat', '世界 🌍', 'J\u0075\u0308rgen', '\ufffd', 'a\ud7ff\ue000'])
    expect([fromBytes(Buffer.from(name)), toBytes(name)]).toEqual([name, Buffer.from(name)])
})

test('a byte that is not UTF-8 is a character of its own, and what could be one is escaped', () => {
  const form = (...bytes: number[]) => fromBytes(Buffer.from(bytes))
  expect(form(0x6c, 0x82, 0x6f)).toBe('l\uf782o')
  expect(form(0xff, 0xe4)).toBe('\uf7ff\uf7e4')
  // Cut off, overlong, and half of a pair.
  expect(form(0xe4, 0xb8)).toBe('\uf7e4\uf7b8')
  expect(form(0xc0, 0xaf)).toBe('\uf7c0\uf7af')
  expect(form(0xed, 0xa0, 0x80)).toBe('\uf7ed\uf7a0\uf780')
  expect(fromBytes(Buffer.from('\uf782'))).toBe('\uf7ef\uf79e\uf782')
})

test('whatever bytes a name has, they come back, and no two names look the same', () => {
  const seen = new Map<string, string>()
  for (let round = 0; round < 20_000; round++) {
    // Mostly high bytes, among them those of characters that stand for bytes.
    const random = randomBytes(1 + (round % 9)).map((byte) => (byte % 3 === 0 ? byte & 0x7f : byte | 0x80))
    const bytes = Buffer.from(random)
    if (round % 4 === 0) Buffer.from('\uf782\uf7ff').copy(bytes, round % 3)
    const name = fromBytes(bytes)
    expect(name.isWellFormed()).toBe(true)
    expect(toBytes(name)).toEqual(bytes)
    expect(seen.get(name) ?? bytes.toString('hex')).toBe(bytes.toString('hex'))
    seen.set(name, bytes.toString('hex'))
  }
})
