import { describe, expect, test } from 'vitest'
import { BeyondBounds, parseJson, parseToml, parseYaml } from './bounded-parsers.ts'

describe('YAML', () => {
  test('is read with texts alone, and nothing where nothing stands', () => {
    expect(parseYaml('a: 1.10\nb: yes\nc:\nd: ~\ne: ""\nf: [2001-01-01, 0x1]\n')).toEqual({
      value: { a: '1.10', b: 'yes', c: null, d: null, e: '', f: ['2001-01-01', '0x1'] },
      isRefused: false,
    })
  })

  test.each([
    ['lines of all systems', 'a: 1\r\nb: 2\rc: 3\u0085d: 4\u2028e: 5\u2029f: 6\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
    ['a key that is there twice', 'a: 1\nb: {c: 1, c: 2}\na: 3\n'],
    ['tabs within values and behind them', 'a: b\tc\t\nd: e\t# f\ng: "h\ti"\nj: |\n  k\tl\n  \tm\n'],
    ['brackets that go on at the beginning of a line', 'a: [b,\nc]\nd: {\ne: f\n}\n'],
    ['quotes that go on at the beginning of a line', 'a: "b\nc"\n'],
    ['a comment right behind a value', 'a: "b"#c\nd: [e]#f\ng: h#i\n'],
    ['words that only look odd', 'a: /<command> [player] <name>\nb: ${version}\nc: d,e\nmcmmo.*: true\n'],
    ['lists that are not farther in than their key', 'a:\n- b\n- c\n'],
    ['many aliases of one value', `a: &a x\nb: [${'*a , '.repeat(500)}]\n`],
    ['one document with its marks', '%YAML 1.1\n---\na: b\n...\n'],
  ])('that SnakeYAML takes is not refused: %s', (_, text) => {
    expect(parseYaml(text).isRefused).toBe(false)
  })

  test.each([
    ['a tab at the beginning of a line', 'a:\n  b:\n\t\tc: d\n'],
    ['a tab behind a colon', 'a:\tb\n'],
    ['a tab behind a quote', 'a: "b"\t\nc: d\n'],
    ['a line of a tab', 'a: b\n\t\nc: d\n'],
    ['a comment behind a tab', 'a: b\n\t# c\n'],
    ['a tab in brackets', 'a: [b,\tc]\n'],
    ['a list and something behind it', 'a: [b], c\n'],
    ['a colon in a value', 'a: b: c\n'],
    ['a value that begins with a reserved sign', 'a: @b\n'],
    ['a value of a percent sign', 'a: %b\n'],
    ['an alias of nothing', 'a: *b*\n'],
    ['text behind a quote', "a: 'It's'\n"],
    ['a lower line that is farther in', 'a: b\n c: d\n'],
    ['a line between two others', 'a:\n    b:\n      c: d\n   e: f\n'],
    ['a line without a colon', 'a: b\nc\nd: e\n'],
    ['an escape that there is none of', 'a: "C:\\Users"\n'],
    ['two documents', 'a: b\n---\nc: d\n'],
    ['something behind the end', 'a: b\n...\nc: d\n'],
    ['a control character', 'a: b\u0007\n'],
    ['a control character in a comment', 'a: b # \u0000\n'],
    ['brackets that nobody closes', 'a: ['],
    ['brackets that nobody closes above something else', 'a: [b, c\nd: e\n'],
    ['a quote that nobody closes', 'a: b\nc: "d\ne: f\n'],
  ])('that SnakeYAML refuses is refused: %s', (_, text) => {
    expect(parseYaml(text).isRefused).toBe(true)
  })

  test.each([
    ['brackets', '[]'.repeat(100_000)],
    ['open brackets', '['.repeat(100_000)],
    ['commas', `[${','.repeat(200_000)}`],
    ['keys', 'a: b\n'.repeat(50_000)],
    ['deep lists', '- '.repeat(100_000)],
    ['deep keys', '? '.repeat(100_000)],
    ['aliases', `a: &a x\nb: [${'*a , '.repeat(10_000)}]\n`],
    ['aliases of nothing', `[${'*a , '.repeat(10_000)}]`],
    ['anchors', '- &a x\n'.repeat(30_000)],
    ['documents', '---\na\n'.repeat(30_000)],
    ['comments', '#\n'.repeat(60_000)],
    ['empty lines', '\n'.repeat(100_000)],
    ['something long', `a: ${'x'.repeat(300_000)}`],
  ])('of very many %s is not parsed', (_, text) => {
    expect(() => parseYaml(text)).toThrow(BeyondBounds)
  })

  test('of very many mistakes has a bounded number of them, and notes none of their places', () => {
    const { stackTraceLimit } = Error
    expect(parseYaml(`a: "${'\\q'.repeat(120_000)}"`)).toMatchObject({ isRefused: true })
    expect(parseYaml('a:\n\tb\n'.repeat(5_000))).toMatchObject({ isRefused: true })
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  })
})

test('TOML and JSON are bounded by their length and depth, JSON by its values too', () => {
  expect(parseToml('\ufeff[a]\nb = [[1]]\n')).toEqual({ a: { b: [[1]] } })
  expect(parseJson('\ufeff{"a":[{"b":1}]}')).toEqual({ a: [{ b: 1 }] })
  expect(() => parseToml(`a = ${'['.repeat(1_000)}`)).toThrow('excessively nested')
  expect(() => parseToml('#\n'.repeat(200_000))).toThrow(BeyondBounds)
  for (const text of ['['.repeat(1_000), `[${'1,'.repeat(30_000)}1]`, `"${'x'.repeat(300_000)}"`])
    expect(() => parseJson(text)).toThrow(BeyondBounds)
  expect(() => parseJson('{')).toThrow(SyntaxError)
})
