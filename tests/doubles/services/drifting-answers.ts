import fc from 'fast-check'
import { z } from 'zod'
import { isTextAlone, otherNamesOf } from '../../../src/contract/declarations/also-named.ts'
import { mayBeUnsaid, type Operation } from '../../../src/contract/declarations/operation.ts'

/** The facts are not there any more: nothing can be read. */
export const LOST = Symbol('lost')
/** The service says that it did not take what was sent. */
export const REFUSED = Symbol('refused')

/** A value as a service that changed might send it, and what of it a tolerant reader still has to find. */
export interface Drifted {
  raw: unknown
  facts: unknown
}

type Drifting = fc.Arbitrary<Drifted>

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .-]{0,10}[A-Za-z0-9]$/)
const lost = (...raws: unknown[]): Drifting => fc.constantFrom(...raws).map((raw) => ({ raw, facts: LOST }))
const same = <T>(arbitrary: fc.Arbitrary<T>): Drifting => arbitrary.map((raw) => ({ raw, facts: raw }))

/** Values of a schema in all the forms that are to be understood, and some that cannot be. */
export function drifting(schema: z.ZodType): Drifting {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return drifting(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodObject) return driftingObject(schema)
  if (schema instanceof z.ZodArray) return driftingArray(schema.element as z.ZodType)
  if (schema instanceof z.ZodISODateTime) return driftingTime
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return driftingText(schema)
  if (schema instanceof z.ZodNumber) return driftingNumber
  if (schema instanceof z.ZodBoolean) return driftingFlag
  if (schema instanceof z.ZodEnum) return driftingWord(schema.options.map(String))
  if (schema instanceof z.ZodUnion) return driftingUnion(schema)
  if (schema instanceof z.ZodRecord) return driftingRecord(schema)
  throw new Error(`No answer of the contract held a ${schema.type} before: say here how it drifts.`)
}

const driftingTime: Drifting = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }).chain(formsOfTime) },
  { weight: 1, arbitrary: lost('yesterday', -5, true, {}, [1], '2026-99-99T00:00:00Z') },
)

function formsOfTime(seconds: number): Drifting {
  const facts = new Date(seconds * 1000)
  const iso = facts.toISOString()
  const forms = [iso, seconds, seconds * 1000, String(seconds), iso.replace('T', ' ').replace('.000Z', '')]
  return fc.constantFrom(...forms).map((raw) => ({ raw, facts }))
}

const textAlone = same(fc.stringMatching(/^[\w.~+-]{1,40}$/))

function driftingText(schema: z.ZodType): Drifting {
  if (isTextAlone(schema)) return fc.oneof(textAlone, lost('', 'a b', 'a\nb', 5, true, {}, []))
  const number = fc.integer().map((raw) => ({ raw, facts: String(raw) }))
  return fc.oneof(
    { weight: 6, arbitrary: same(word) },
    { weight: 2, arbitrary: number },
    { weight: 1, arbitrary: lost(true, {}, ['a']) },
  )
}

const driftingNumber: Drifting = fc.oneof(
  { weight: 6, arbitrary: same(fc.nat()) },
  { weight: 2, arbitrary: fc.nat().map((facts) => ({ raw: String(facts), facts })) },
  { weight: 1, arbitrary: lost('many', '', true, {}, [3], '0x10') },
)

const driftingFlag: Drifting = fc.oneof(
  { weight: 4, arbitrary: same(fc.boolean()) },
  { weight: 2, arbitrary: fc.boolean().map((facts) => ({ raw: facts ? 1 : 0, facts })) },
  { weight: 1, arbitrary: lost('perhaps', 2, {}, []) },
)

function driftingWord(words: string[]): Drifting {
  return fc.oneof(
    { weight: 4, arbitrary: same(fc.constantFrom(...words)) },
    { weight: 1, arbitrary: fc.constantFrom(...words).map((facts) => ({ raw: facts.toUpperCase(), facts })) },
    { weight: 1, arbitrary: lost(7, true, {}, []) },
  )
}

function driftingUnion(schema: z.ZodUnion): Drifting {
  const [first, second] = schema.options as z.ZodType[]
  if (first instanceof z.ZodEnum) {
    const unknown = fc
      .constantFrom('Hibernating', 'zz')
      .map((raw) => ({ raw, facts: { kind: 'unknown', raw } }))
    return fc.oneof(
      { weight: 5, arbitrary: driftingWord(first.options.map(String)) },
      { weight: 1, arbitrary: unknown },
    )
  }
  // A text, or a yes or no in its place.
  if (first instanceof z.ZodString)
    return drifting(first).map((one) => (typeof one.raw === 'boolean' ? { ...one, facts: one.raw } : one))
  if (!(first instanceof z.ZodLiteral)) throw new Error('There is no way yet to let this union drift.')
  const exact = [...first.values]
  return fc.oneof(same(fc.constantFrom(...exact)), drifting(second as z.ZodType), lost(7, {}, true))
}

/** Keys that are anybody's are read as they stand, and so are their values. */
function driftingRecord({ valueType }: z.ZodRecord): Drifting {
  const figures = valueType instanceof z.ZodUnion ? fc.oneof(word, fc.nat()) : fc.nat()
  const values: fc.Arbitrary<unknown> =
    valueType instanceof z.ZodRecord ? fc.dictionary(word, fc.nat()) : figures
  return fc.oneof({ weight: 6, arbitrary: same(fc.dictionary(word, values)) }, lost('many', 7, [1]))
}

const driftingArray = (element: z.ZodType): Drifting =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.array(drifting(element), { maxLength: 4 }).map((items) => ({
        raw: items.map(({ raw }) => raw),
        facts: items.map(({ facts }) => facts).filter((facts) => facts !== LOST),
      })),
    },
    { weight: 1, arbitrary: lost('a,b', 7, {}) },
  )

/** Fields of which the contract knows nothing. */
const foreign = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
})

function driftingObject(schema: z.ZodObject): Drifting {
  const shape = schema.shape as Record<string, z.ZodType>
  const synonyms = otherNamesOf(schema)
  const fields = Object.entries(shape).map(([name, field]) => {
    const others = (synonyms[name] ?? []).filter((other) => !Object.hasOwn(shape, other))
    const optional = field instanceof z.ZodOptional || field instanceof z.ZodNullable
    return fc
      .record({
        as: fc.oneof(
          { weight: 6, arbitrary: fc.constant(name) },
          { weight: 2, arbitrary: fc.constantFrom(snake(name), pascal(name), ...others) },
        ),
        there: fc.integer({ min: 0, max: 19 }).map((n) => n > (optional ? 4 : 0)),
        value: drifting(field),
      })
      .map((one) => ({ ...one, name, optional, unsaid: mayBeUnsaid.has(field) }))
  })
  return fc.tuple(fc.tuple(...fields), foreign).map(([parts, more]) => {
    const raw: Record<string, unknown> = { ...more }
    let facts: Record<string, unknown> | typeof LOST = {}
    for (const { as, there, value, name, optional, unsaid } of parts) {
      if (there) raw[as] = value.raw
      if (there && value.facts !== LOST) {
        if (facts !== LOST) facts[name] = value.facts
      } else if (unsaid && facts !== LOST) facts[name] = { kind: 'unknown', raw: '' }
      else if (!optional) facts = LOST
    }
    return { raw, facts }
  })
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** A whole answer, as it is sent. */
export interface DriftedAnswer extends Drifted {
  text: string
  /** Of a list: whether it may be called complete. Only where nothing speaks of more, or something shows that it is all. */
  complete?: boolean
}

/** A whole answer of an operation with a value or a list. The facts of a list are its items. */
export function driftingAnswer(op: Operation): fc.Arbitrary<DriftedAnswer> {
  const { answer } = op
  const drifting =
    answer.kind === 'list'
      ? driftingList(op, answer.item)
      : answer.kind === 'json'
        ? driftingValue(op, answer.schema)
        : fc.jsonValue().map((raw) => ({ raw, facts: undefined }))
  const mark = fc.constantFrom('', '', '', '\ufeff')
  return fc.tuple(drifting, mark).map(([one, before]) => ({ ...one, text: before + JSON.stringify(one.raw) }))
}

/** What stands beside a value in its envelope: some of it has the name of one of the value's own fields. */
const AROUND = [
  {},
  {},
  { status: 'success' },
  { id: 'req-9' },
  { name: 'reply' },
  { success: true, message: 'OK' },
]

function driftingValue(op: Operation, schema: z.ZodType): Drifting {
  return fc
    .tuple(drifting(schema), fc.constantFrom(null, null, 'data', 'result'), fc.constantFrom(...AROUND))
    .map(([{ raw, facts }, envelope, around]) => ({
      raw: envelope === null ? raw : { ...(speaks(schema, raw) ? around : {}), [envelope]: raw },
      facts: op.kind === 'write' && isRefused(facts) ? REFUSED : facts,
    }))
}

/** Whether a value holds one of its fields: of two that hold as much nobody can tell which is meant. */
const speaks = (schema: z.ZodType, raw: unknown): boolean =>
  schema instanceof z.ZodObject &&
  Object.keys(schema.shape).some((name) => ((raw as Record<string, unknown>)[name] ?? null) !== null)

const isRefused = (facts: unknown): boolean =>
  typeof facts === 'object' && facts !== null && 'accepted' in facts && facts.accepted === false

function driftingList(op: Operation, item: z.ZodType): fc.Arbitrary<Drifted & { complete: boolean }> {
  return fc
    .tuple(fc.array(drifting(item), { maxLength: 5 }), fc.nat({ max: 7 }), fc.boolean(), fc.nat())
    .map(([items, form, complete, which]) => {
      const list = items.map(({ raw }) => raw)
      const ways = (complete ? ofAll : ofSome)(list.length)
      return {
        raw: listForm(op, list, form, ways[which % ways.length] ?? {}),
        facts: items.map(({ facts }) => facts).filter((facts) => facts !== LOST),
        // A list alone says nothing of more.
        complete: complete || form === 0,
      }
    })
}

/** What may stand beside a list of all there is. */
const ofAll = (length: number): object[] => [
  {},
  { success: true, requestId: 'x', version: 3 },
  { nextCursor: null },
  { next_cursor: null },
  { nextCursor: '', meta: { page: 1 } },
  { total: length },
  { count: length, next: null, previous: null },
  { links: [], meta: {} },
]

/** What may stand beside a list that goes on, or of which nobody can say. */
const ofSome = (length: number): object[] => [
  { nextCursor: 20 },
  { nextCursor: { after: 'x' } },
  { NextCursor: 'x' },
  { nextPageToken: 'x' },
  { meta: { page: 1, pages: 3 } },
  { links: ['a'] },
  { _links: { next: { href: '/x' } } },
  { total: length + 1, nextCursor: null },
  { count: length + 40, offset: 0 },
  { has_next: true },
  { page: 1 },
]

function listForm(op: Operation, list: unknown[], form: number, beside: object): unknown {
  switch (form) {
    case 0:
      return list
    case 1:
      return { data: list, errors: [], ...beside }
    case 2:
      return { results: list, ...beside }
    case 3:
      return { [op.area]: list, ...beside }
    case 4:
      return list.length > 0 ? { things: list, warnings: ['w'], ...beside } : { items: list, ...beside }
    case 5:
      return { status: 'success', data: { items: list }, ...beside }
    case 6:
      return { result: { items: list, ...beside }, message: 'OK' }
    default:
      return { items: list, ...beside }
  }
}

/** A value as it is compared: without what is not given, times as what they mean. */
export function plainly(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (Array.isArray(value)) return value.map(plainly)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value)
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(given.map(([name, one]) => [name, plainly(one)]))
}

/** Texts that are no answer at all, or one that was broken on its way. */
export const brokenText = (whole: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'OK',
      'null',
      'true',
      '7',
      '"text"',
      '[]',
      '{}',
      '[[[[]]]]',
      '{"items":{}}',
      '\u0000',
    ),
    fc.constantFrom('<!doctype html><html><body>Sign in</body></html>', '<html>', '{"items":[{'),
    fc.nat({ max: Math.max(0, whole.length - 1) }).map((length) => whole.slice(0, length)),
    fc.constant(`${'['.repeat(3000)}${']'.repeat(3000)}`),
    fc.constant(`{"items":[${'{"id":1,'.repeat(50)}`),
    fc.constant(`{"id":"${'x'.repeat(200_000)}","name":"n"}`),
    fc.json(),
  )
