import { describe, expect, it } from 'vitest'
import { decodeBase64, hexRows, parseOffset, textOf, wholeLength } from './page-bytes.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

describe('a page of text', () => {
  it('shows every character once, however long the pages are', () => {
    const text = 'ab ä 世界 🌍 x'
    const all = utf8(text)
    for (let length = 4; length <= all.length; length++) {
      let shown = ''
      for (let at = 0; at < all.length;) {
        const page = all.subarray(at, at + length)
        const last = at + page.length === all.length
        shown += textOf(page, at === 0, last)
        at += wholeLength(page, last)
      }
      expect(shown).toBe(text)
    }
  })

  it('leaves out the rest of a character that began before', () => {
    const all = utf8('🌍世x')
    for (let at = 1; at < 4; at++) expect(textOf(all.subarray(at), false, true)).toBe('世x')
  })

  it('keeps what is no UTF-8 in sight', () => {
    expect(textOf(Uint8Array.of(0x41, 0xff, 0x42), true, true)).toBe('A\uFFFDB')
    expect(textOf(Uint8Array.of(0x41, 0xe4), true, true)).toBe('A\uFFFD')
  })
})

describe('a page of numbers', () => {
  it('has sixteen bytes in a row, with the offset of the file', () => {
    const rows = hexRows(utf8('0123456789abcdef\u0000!'), 0x1000)
    expect(rows).toEqual([
      {
        offset: '00001000',
        hex: '30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66',
        text: '0123456789abcdef',
      },
      { offset: '00001010', hex: expect.stringMatching(/^00 21\s*$/) as string, text: '·!' },
    ])
  })

  it('comes from base64 as it was', () => {
    expect([...decodeBase64('AP8Q')]).toEqual([0, 255, 16])
  })
})

describe('an offset', () => {
  it.each([
    ['0', 0],
    [' 4 096 ', 4096],
    ['0x1000', 4096],
    ['50 %', 5000],
    ['12,5%', 1250],
    ['100%', 9999],
  ])('typed as %j is %i of 10,000 bytes', (typed, offset) => {
    expect(parseOffset(typed, 10_000)).toBe(offset)
  })

  it.each(['', 'abc', '-1', '10000', '101%', '0x', '1e3'])('is none where %j is typed', (typed) => {
    expect(parseOffset(typed, 10_000)).toBeNull()
  })
})
