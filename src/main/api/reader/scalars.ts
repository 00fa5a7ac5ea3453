import { z } from 'zod'
import { isTextAlone } from '../../../contract/declarations/also-named.ts'
import { otherWords } from '../../../contract/declarations/operation.ts'

/** Types as shown in the drift report. Never values. */
export type Kind = 'text' | 'number' | 'yes-or-no' | 'time' | 'list' | 'object' | 'missing'

export function kindOf(raw: unknown): Kind {
  if (raw === undefined || raw === null) return 'missing'
  if (Array.isArray(raw)) return 'list'
  switch (typeof raw) {
    case 'string':
      return 'text'
    case 'number':
    case 'bigint':
      return 'number'
    case 'boolean':
      return 'yes-or-no'
    default:
      return 'object'
  }
}

/** Conversion of a scalar from another type. `undefined`: impossible. */
export interface Scalar {
  kind: Kind
  convert(raw: unknown): unknown
  words?: ReadonlySet<unknown>
}

/** Ids and names may arrive as numbers. */
const text: Scalar = {
  kind: 'text',
  convert: (raw) => (typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : undefined),
}

const number: Scalar = {
  kind: 'number',
  convert(raw) {
    if (typeof raw !== 'string' || raw.length > 40 || !/^\s*-?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(raw))
      return undefined
    const value = Number(raw)
    return Number.isFinite(value) ? value : undefined
  },
}

const FLAGS = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
])

const flag: Scalar = { kind: 'yes-or-no', convert: (raw) => FLAGS.get(raw) }

/** Numbers below are seconds, until the year 5138; milliseconds above, since 1973. */
const MS_FROM = 1e11
/** Later times are something else. */
const LATEST_MS = Date.UTC(2200, 0)

const time: Scalar = {
  kind: 'time',
  convert(raw) {
    const ms = typeof raw === 'string' && !/^\d+(\.\d+)?$/.test(raw) ? fromText(raw) : fromEpoch(raw)
    return ms > 0 && ms <= LATEST_MS ? new Date(ms).toISOString() : undefined
  },
}

function fromEpoch(raw: unknown): number {
  const value = typeof raw === 'string' ? Number(raw) : raw
  if (typeof value !== 'number') return NaN
  return Math.round(value < MS_FROM ? value * 1000 : value)
}

/** ISO 8601, also with a space for `T`, an offset without a colon, or no zone (then UTC). */
function fromText(raw: string): number {
  const [, day, clock, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(raw) ?? []
  return Date.parse(`${day}T${clock}${zone}`)
}

/** Matches a known word in another case, such as `ONLINE`; unknown words are left to the schema. */
function wordOf(
  words: readonly string[],
  others: Readonly<Record<string, readonly string[] | undefined>>,
): Scalar {
  const known = new Map(
    words.flatMap((word) => [word, ...(others[word] ?? [])].map((form) => [plain(form), word])),
  )
  return {
    kind: 'text',
    words: new Set(words),
    convert: (raw) => (typeof raw === 'string' ? known.get(plain(raw)) : undefined),
  }
}

/** Compares names regardless of case, underscores and hyphens. */
export const plain = (name: string): string => name.replace(/[_-]/g, '').toLowerCase()

/** Null if the schema isn't a scalar. */
export function scalarOf(schema: z.ZodType): Scalar | null {
  if (schema instanceof z.ZodISODateTime) return time
  if (isTextAlone(schema)) return { kind: 'text', convert: () => undefined }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return text
  if (schema instanceof z.ZodNumber) return number
  if (schema instanceof z.ZodBoolean) return flag
  const words = wordsOf(schema)
  return words ? wordOf(words, otherWords.get(schema) ?? {}) : null
}

function wordsOf(schema: z.ZodType): readonly string[] | null {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (!(schema instanceof z.ZodUnion)) return null
  const [first] = schema.options
  return first instanceof z.ZodEnum ? first.options.map(String) : null
}
