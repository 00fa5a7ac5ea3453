import { expect, test } from 'vitest'
import { CUT_MARK, LINE_BYTES_MAX, LineSplitter } from './line-splitter.ts'

const text = 'Grüße 🌍\r\n\nzwei\nthe end €'

test('gives the same lines wherever the chunks are cut, also within a character', () => {
  const bytes = Buffer.from(text)
  for (let first = 0; first <= bytes.length; first++)
    for (let second = first; second <= bytes.length; second++) {
      const splitter = new LineSplitter()
      const lines = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
        .flatMap((chunk) => splitter.push(chunk))
        .concat(splitter.flush())
      expect(lines).toEqual(['Grüße 🌍', '', 'zwei', 'the end €'])
    }
})

test('needs the bytes of a chunk only until it is split', () => {
  const splitter = new LineSplitter()
  const lines = ['a whole line\nhalf', ' a line\nthe', ' end'].flatMap((piece) => {
    const chunk = Buffer.from(new TextEncoder().encode(piece).buffer)
    const found = splitter.push(chunk)
    chunk.buffer.transfer(0)
    return found
  })
  expect([...lines, ...splitter.flush()]).toEqual(['a whole line', 'half a line', 'the end'])
})

test('holds an unfinished line back until it ends', () => {
  const splitter = new LineSplitter()
  expect(splitter.push(Buffer.from('wai'))).toEqual([])
  expect(splitter.push(Buffer.from('ting\nmore'))).toEqual(['waiting'])
  expect(splitter.flush()).toEqual(['more'])
  expect(splitter.flush()).toEqual([])
})

test.each([1, 1000, 16 * 1024, 1 << 20])(
  'cuts a line that is too long, in chunks of %i bytes, and goes on',
  (size) => {
    const splitter = new LineSplitter()
    const bytes = Buffer.from('short\n' + '€'.repeat(20_000) + '\nnext\n')
    const lines: string[] = []
    for (let at = 0; at < bytes.length; at += size)
      lines.push(...splitter.push(bytes.subarray(at, at + size)))
    expect(lines).toHaveLength(3)
    expect([lines[0], lines[2]]).toEqual(['short', 'next'])
    expect(lines[1]!.endsWith('€' + CUT_MARK)).toBe(true)
    expect(Buffer.byteLength(lines[1]!)).toBeLessThanOrEqual(LINE_BYTES_MAX + Buffer.byteLength(CUT_MARK))
  },
)

test('a line of exactly the longest length is whole', () => {
  const splitter = new LineSplitter()
  expect(splitter.push(Buffer.from('x'.repeat(LINE_BYTES_MAX) + '\n'))).toEqual(['x'.repeat(LINE_BYTES_MAX)])
})
