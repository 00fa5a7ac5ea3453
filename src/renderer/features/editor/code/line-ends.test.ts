import { describe, expect, it } from 'vitest'
import { lineEndsOf, separatorOf, splitLines } from './line-ends.ts'

describe('line ends', () => {
  it.each([
    ['', 'lf'],
    ['a\nb\n', 'lf'],
    ['a\r\nb\r\n', 'crlf'],
    ['a\rb', 'cr'],
    ['a\r\nb\nc', 'mixed'],
    ['\na\r\n', 'mixed'],
    ['a\r\r\nb', 'mixed'],
    ['a\rb\nc', 'mixed'],
  ] as const)('of %j are %s, and nothing is lost by taking them apart', (text, ends) => {
    expect(lineEndsOf(text)).toBe(ends)
    expect(splitLines(text, ends).join(separatorOf(ends))).toBe(text)
  })
})
