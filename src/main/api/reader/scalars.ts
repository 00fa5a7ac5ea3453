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
  known?: ReadonlyMap<string, string>
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

/** Units per millisecond by magnitude, since 1970: seconds reach the year 5138, milliseconds begin in 1973. */
const UNITS = [
  [1e17, 1e6],
  [1e14, 1e3],
  [1e11, 1],
  [0, 1e-3],
] as const
/** Plausible times are between 1970 and 2200; other numbers are something else. */
const LATEST_MS = Date.UTC(2200, 0)

const time: Scalar = {
  kind: 'time',
  convert(raw) {
    const ms =
      typeof raw === 'number' || isDigits(raw)
        ? fromEpoch(Number(raw))
        : typeof raw === 'object'
          ? fromParts(raw)
          : fromText(raw)
    return ms === null ? undefined : new Date(ms).toISOString()
  },
}

const isDigits = (raw: unknown): raw is string => typeof raw === 'string' && /^\d{9,19}(\.\d+)?$/.test(raw)

function fromEpoch(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) return null
  const [, each] = UNITS.find(([from]) => value >= from) ?? [0, 1]
  const ms = Math.round(value / each)
  return ms <= LATEST_MS ? ms : null
}

/** Names for epoch seconds and their fraction in Protobuf, Firestore and Java's Instant. */
const SECONDS = new Set(['seconds', 'epochsecond', 'epochseconds'])
const NANOS = new Set(['nanos', 'nano', 'nanoseconds'])

/** `[2026, 11, 20, 12, 0]`, seconds and nanoseconds optional, in UTC; or `{seconds, nanos}`. */
function fromParts(raw: unknown): number | null {
  if (Array.isArray(raw)) return fromCalendar(raw)
  const fields = Object.entries(raw ?? {}).slice(0, 3)
  const seconds = fields.find(([name]) => SECONDS.has(plain(name)))
  const nanos = fields.find(([name]) => NANOS.has(plain(name)))
  if (!seconds || fields.length !== (nanos ? 2 : 1)) return null
  const [whole, rest] = [partOf(seconds[1]), nanos ? partOf(nanos[1]) : 0]
  if (whole === null || whole <= 0 || rest === null || rest < 0 || rest >= 1e9) return null
  const ms = whole * 1000 + Math.floor(rest / 1e6)
  return ms <= LATEST_MS ? ms : null
}

function partOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : null
}

function fromCalendar(raw: readonly unknown[]): number | null {
  if (raw.length < 5 || raw.length > 7 || !raw.every((one) => Number.isSafeInteger(one))) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, nanos = 0] = raw as number[]
  if (year < 1970 || nanos < 0 || nanos >= 1e9) return null
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  if (!(ms <= LATEST_MS)) return null
  // Date would roll invalid dates over, such as June 31.
  const two = (part: number): string => String(part).padStart(2, '0')
  const written = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.000Z`
  return new Date(ms).toISOString() === written ? ms + Math.floor(nanos / 1e6) : null
}

/** `Fri, 20 Nov 2026 12:00:00 GMT` (RFC 9110, RFC 5322). */
const OF_MAILS =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC?|Z|[+-]\d{4})$/

/** ISO 8601 variants: space for `T`, no seconds, or no zone (then UTC). */
function fromText(raw: unknown): number | null {
  if (typeof raw === 'string' && raw.length <= 40 && OF_MAILS.test(raw)) {
    const ms = Date.parse(raw)
    return Number.isNaN(ms) ? null : ms
  }
  const found =
    typeof raw === 'string' && raw.length <= 40
      ? /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?$/i.exec(
          raw,
        )
      : null
  if (!found) return null
  const [, day = '', clock = '', zone = 'Z'] = found
  const offset = /^[a-z]/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const ms = Date.parse(`${day}T${clock.replace(',', '.')}${offset}`)
  return Number.isNaN(ms) ? null : ms
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
    known,
    words: new Set(words),
    convert: (raw) => known.get(plain(typeof raw === 'string' ? raw : (onlyWordIn(raw, known) ?? ''))),
  }
}

/** The only known word in an object, such as the state in `{"state": "ONLINE", "since": …}`. */
function onlyWordIn(raw: unknown, known: ReadonlyMap<string, string>): string | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined
  const words = Object.values(raw).filter((one) => typeof one === 'string' && known.has(plain(one)))
  return words.length === 1 ? (words[0] as string) : undefined
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
