import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementOf, elementsIn, listOf, valuesIn } from './list-text.ts'

test('joining the elements of a list gives the same values', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.constantFrom(undefined, 1, '\t'),
      (values, space) => {
        const bytes = Buffer.from(JSON.stringify(values, null, space)).toString('latin1')
        const elements = elementsIn(bytes)
        expect(elements).toHaveLength(values.length)
        expect(elements.every((element) => bytes.includes(element))).toBe(true)
        const said = JSON.parse(JSON.stringify(values)) as unknown
        expect(valuesIn(listOf(elements))).toEqual(said)
        expect(valuesIn(listOf(values.map(elementOf)))).toEqual(said)
      },
    ),
  )
})

test('each element is decoded by itself', () => {
  const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1')
  const list = `\u00ef\u00bb\u00bf[${bytes('"Gr\u00fc\u00dfe \\u00fc ]["', 'latin1')},${bytes('"\u65e5\u672c \\" ,"', 'utf8')}]`
  expect(valuesIn(list)).toEqual(['Gr\u00fc\u00dfe \u00fc ][', '\u65e5\u672c " ,'])
  expect(valuesIn(listOf(elementsIn(list)))).toEqual(valuesIn(list))
})

test.each([
  '',
  ' ',
  '{}',
  '"',
  '[',
  '[1',
  '[1,]',
  '[] []',
  `[${'0,'.repeat(25_000)}0]`,
  '\u0000',
  '[\u00fc]',
])('%j is not a list', (text) => {
  expect(() => elementsIn(text)).toThrow(SyntaxError)
  expect(() => valuesIn(text)).toThrow(SyntaxError)
})

test('a list of countless values is refused before it is parsed', () => {
  const most = 4 * 1024 * 1024
  for (const piece of ['[', '[],', '{"a":', '{"name":[[0]]},']) {
    const text = `[${piece.repeat(most / piece.length)}]`
    expect(() => valuesIn(text), piece).toThrow('too many values')
  }
})
