import { expect, test } from 'vitest'
import { mendLines } from './encoded-lines.ts'

const idOf = (at: number) => `4-${at + 7}`
const line = (at: number, text: string) => JSON.stringify({ id: idOf(at), time: null, text })
const joined = (...lines: string[]) => Buffer.from(lines.map((one) => `${one}\n`).join(''))
const texts = (bytes: Buffer) =>
  bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one) as { id: string; text: string })

test('whole lines are handed on as they are', () => {
  const bytes = joined(line(0, 'a'), line(1, 'b'))
  expect(mendLines(bytes, idOf)).toBe(bytes)
})

test.each(['{"id":"4-8","te', '\0\0\0\0', '', '{"id":"9-9","text":"of elsewhere"}', '[]', 'null'])(
  'a line that is %j is told in its place, and those around it stay',
  (garbage) => {
    const mended = texts(mendLines(joined(line(0, 'a'), garbage, line(2, 'c')), idOf))
    expect(mended.map(({ id }) => id)).toEqual(['4-7', '4-8', '4-9'])
    expect([mended[0]?.text, mended[2]?.text]).toEqual(['a', 'c'])
    expect(mended[1]?.text).toMatch(/cannot be read/)
  },
)
