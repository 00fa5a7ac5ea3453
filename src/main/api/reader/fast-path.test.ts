import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { drifting } from '../../../../tests/doubles/services/drifting-answers.ts'
import { operations } from '../../../contract/areas/index.ts'
import { Time } from '../../../contract/declarations/operation.ts'
import { fastPath } from './fast-path.ts'
import { Findings } from './drift.ts'
import { readerOf } from './reader.ts'
import { MISFIT } from './leaf-reader.ts'

/** Another seed is tried with `FC_SEED=N`; what it finds tells it. */
const seed = Number(process.env['FC_SEED'] ?? 20261122)

/** Values at the edges of what schemas take, put where others stood. */
const edges = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  'owner',
  'a\nb',
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  Infinity,
  true,
  [],
  [null],
  {},
  '2024-02-29T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-11-22T14:31:17.5+01:30',
)

/** A value as it may drift, and one that keeps to the contract but for one place. */
function withEdges(schema: z.ZodType): fc.Arbitrary<unknown> {
  const drifted = drifting(schema).map(({ raw }) => raw)
  const edged = fc.tuple(drifted, edges, fc.nat({ max: 15 })).map(([raw, edge, at]) => {
    const read = readerOf(schema).read(raw, new Findings())
    return read === MISFIT ? raw : replaced(read, edge, { left: at })
  })
  return fc.oneof({ weight: 1, arbitrary: drifted }, { weight: 3, arbitrary: edged })
}

function replaced(value: unknown, edge: unknown, place: { left: number }): unknown {
  if (place.left-- === 0) return edge
  if (Array.isArray(value)) return value.map((one) => replaced(one, edge, place))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, edge, place)]))
}

/** Without what is `null`, which the tolerant path leaves out. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(fields.map(([name, one]) => [name, given(one)]))
}

/** Each schema of an answer once, by the first operation that has it. */
const schemas = new Map<z.ZodType, string>()
for (const { id, answer } of operations) {
  const schema = answer.kind === 'json' ? answer.schema : answer.kind === 'list' ? answer.item : null
  if (schema && !schemas.has(schema)) schemas.set(schema, id)
}

describe.each([...schemas])('$1', (schema) => {
  const reader = readerOf(schema)

  test('stands where its parser leaves everything as it is, and nowhere else', () => {
    fc.assert(
      fc.property(withEdges(schema), (raw) => {
        const parsed = schema.safeParse(raw)
        const unchanged = parsed.success && isDeepStrictEqual(parsed.data, raw)
        expect(reader.stands(raw)).toBe(unchanged)
      }),
      { numRuns: 60, seed },
    )
  })

  test('what stands is read alike by the path that tolerates, and differs in nothing from the contract', () => {
    fc.assert(
      fc.property(withEdges(schema), (raw) => {
        if (!reader.stands(raw)) return
        const [quick, tolerant] = [new Findings(), new Findings()]
        // Nothing is taken as it stands once an answer has held such an integer.
        tolerant.long.add('9007199254740993')
        const value = reader.read(raw, quick)
        expect(given(value)).toEqual(given(reader.read(raw, tolerant)))
        expect([quick.drifts, tolerant.drifts]).toEqual([[], []])
      }),
      { numRuns: 60, seed },
    )
  })
})

test('a time stands where the parser takes it, in whatever form', () => {
  const stands = fastPath(Time)
  const number = (most: number) =>
    fc.integer({ min: 0, max: most }).map((one) => String(one).padStart(2, '0'))
  const parts = fc.tuple(
    fc.constantFrom('1999', '2000', '2024', '2026', '1900', '20a4', '٢٠٢٦'),
    number(13),
    number(32),
    number(25),
    number(61),
    number(61),
    fc.constantFrom('', '', '.5', '.123', '.', ',5', '.12x', '.123456789'),
    fc.constantFrom('Z', 'Z', 'z', '+01:00', '-0130', '', ' Z', 'ZZ'),
    fc.constantFrom('T', 'T', 'T', ' ', 't'),
  )
  fc.assert(
    fc.property(parts, ([year, month, day, hour, minute, second, fraction, zone, t]) => {
      const text = `${year}-${month}-${day}${t}${hour}:${minute}:${second}${fraction}${zone}`
      expect(stands(text), text).toBe(Time.safeParse(text).success)
    }),
    { numRuns: 500, seed },
  )
  for (const year of [1900, 2000, 2024, 2026])
    for (let month = 1; month <= 12; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T23:59:59.000Z`
        expect(stands(text), text).toBe(Time.safeParse(text).success)
      }
})

test('a schema that asks for more than is known here is asked itself', () => {
  const even = z.number().refine((value) => value % 2 === 0)
  expect([2, 3, '2'].map(fastPath(even))).toEqual([true, false, false])
  expect(['a', ' a', 'aa'].map(fastPath(z.string().trim().max(1)))).toEqual([true, false, false])
  expect(['2026-11-22T14:31:17Z', '2020-11-22T14:31:17Z'].map(fastPath(Time.startsWith('2026')))).toEqual([
    true,
    false,
  ])
  expect([1, 1.5, '1'].map(fastPath(z.int()))).toEqual([true, false, false])
  expect(['a@b.example', 'a'].map(fastPath(z.email()))).toEqual([true, false])

  const ends = { from: 1, to: 0 }
  const range = z.object({ from: z.number(), to: z.number() })
  expect(readerOf(range).stands(ends)).toBe(true)
  expect(readerOf(range.refine(({ from, to }) => from < to)).stands(ends)).toBe(false)
  expect(readerOf(range.loose()).stands(ends)).toBe(false)
})

test('a name that every object has is none of a field', () => {
  const reader = readerOf(z.object({ id: z.string() }))
  expect(reader.stands(JSON.parse('{"id":"a","__proto__":{"x":1}}'))).toBe(false)
  expect(reader.stands(JSON.parse('{"__proto__":{"id":"a"}}'))).toBe(false)
  expect(reader.stands({ id: 'a', constructor: 1 })).toBe(false)
})
