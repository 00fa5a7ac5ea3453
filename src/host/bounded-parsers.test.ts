import { describe, expect, test } from 'vitest'
import { ParseLimitError, parseJson, parseToml, parseYaml } from './bounded-parsers.ts'

describe('YAML', () => {
  test('is read as strings and nulls only', () => {
    expect(parseYaml('a: 1.10\nb: yes\nc:\nd: ~\ne: ""\nf: [2001-01-01, 0x1]\n')).toEqual({
      value: { a: '1.10', b: 'yes', c: null, d: null, e: '', f: ['2001-01-01', '0x1'] },
      isRefused: false,
    })
  })

  test.each([
    ['all kinds of line breaks', 'a: 1\r\nb: 2\rc: 3\u0085d: 4\u2028e: 5\u2029f: 6\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
    ['a duplicate key', 'a: 1\nb: {c: 1, c: 2}\na: 3\n'],
    ['tabs in and after values', 'a: b\tc\t\nd: e\t# f\ng: "h\ti"\nj: |\n  k\tl\n  \tm\n'],
    ['brackets continued in column 0', 'a: [b,\nc]\nd: {\ne: f\n}\n'],
    ['quotes continued in column 0', 'a: "b\nc"\n'],
    ['a comment right after a value', 'a: "b"#c\nd: [e]#f\ng: h#i\n'],
    ['unusual plain values', 'a: /<command> [player] <name>\nb: ${version}\nc: d,e\nmcmmo.*: true\n'],
    ['lists indented like their key', 'a:\n- b\n- c\n'],
    ['many aliases of one value', `a: &a x\nb: [${'*a , '.repeat(500)}]\n`],
    ['one document with markers', '%YAML 1.1\n---\na: b\n...\n'],
  ])("that SnakeYAML accepts isn't marked as refused: %s", (_, text) => {
    expect(parseYaml(text).isRefused).toBe(false)
  })

  test.each([
    ['a tab as indentation', 'a:\n  b:\n\t\tc: d\n'],
    ['a tab after a colon', 'a:\tb\n'],
    ['a tab after a quote', 'a: "b"\t\nc: d\n'],
    ['a line of a tab', 'a: b\n\t\nc: d\n'],
    ['a comment after a tab', 'a: b\n\t# c\n'],
    ['a tab in brackets', 'a: [b,\tc]\n'],
    ['a list followed by text', 'a: [b], c\n'],
    ['a colon in a value', 'a: b: c\n'],
    ['a value starting with a reserved character', 'a: @b\n'],
    ['a value starting with a percent sign', 'a: %b\n'],
    ['an unknown alias', 'a: *b*\n'],
    ['text after a quote', "a: 'It's'\n"],
    ['a line indented too far', 'a: b\n c: d\n'],
    ['a line indented between two others', 'a:\n    b:\n      c: d\n   e: f\n'],
    ['a line without a colon', 'a: b\nc\nd: e\n'],
    ['an unknown escape', 'a: "C:\\Users"\n'],
    ['two documents', 'a: b\n---\nc: d\n'],
    ['text after the document', 'a: b\n...\nc: d\n'],
    ['a control character', 'a: b\u0007\n'],
    ['a control character in a comment', 'a: b # \u0000\n'],
    ['an unclosed bracket', 'a: ['],
    ['an unclosed bracket followed by more lines', 'a: [b, c\nd: e\n'],
    ['an unclosed quote', 'a: b\nc: "d\ne: f\n'],
  ])('that SnakeYAML rejects is marked as refused: %s', (_, text) => {
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
    ['unknown aliases', `[${'*a , '.repeat(10_000)}]`],
    ['anchors', '- &a x\n'.repeat(30_000)],
    ['documents', '---\na\n'.repeat(30_000)],
    ['comments', '#\n'.repeat(60_000)],
    ['empty lines', '\n'.repeat(100_000)],
    ['long strings', `a: ${'x'.repeat(300_000)}`],
  ])("with too many %s isn't parsed", (_, text) => {
    expect(() => parseYaml(text)).toThrow(ParseLimitError)
  })

  test('with many errors is read without collecting stack traces', () => {
    const { stackTraceLimit } = Error
    expect(parseYaml(`a: "${'\\q'.repeat(120_000)}"`)).toMatchObject({ isRefused: true })
    expect(parseYaml('a:\n\tb\n'.repeat(5_000))).toMatchObject({ isRefused: true })
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  })
})

test('TOML and JSON have limits on length and depth, and JSON on values', () => {
  expect(parseToml('\ufeff[a]\nb = [[1]]\n')).toEqual({ a: { b: [[1]] } })
  expect(parseJson('\ufeff{"a":[{"b":1}]}')).toEqual({ a: [{ b: 1 }] })
  expect(() => parseToml(`a = ${'['.repeat(1_000)}`)).toThrow('excessively nested')
  expect(() => parseToml('#\n'.repeat(200_000))).toThrow(ParseLimitError)
  for (const text of ['['.repeat(1_000), `[${'1,'.repeat(30_000)}1]`, `"${'x'.repeat(300_000)}"`])
    expect(() => parseJson(text)).toThrow(ParseLimitError)
  expect(() => parseJson('{')).toThrow(SyntaxError)
})
