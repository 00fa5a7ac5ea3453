import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** Whether a scalar is valid as it is, checked without the parser for simple schemas. True for most values. */
export function fastPath(schema: z.ZodType, words?: ReadonlySet<unknown>): (raw: unknown) => boolean {
  const parsed = (raw: unknown): boolean => {
    const { success, data } = schema.safeParse(raw)
    return success && (data === raw || (schema instanceof z.ZodRecord && isDeepStrictEqual(data, raw)))
  }
  const { checks = [], check, offset } = schema.def as Partial<z.core.$ZodISODateTimeDef>
  if (schema instanceof z.ZodISODateTime && offset === true && checks.length === 0)
    return (raw) => isPlainTime(raw) || parsed(raw)
  if (check !== undefined) return parsed
  if (schema instanceof z.ZodString) return textWith(checks) ?? parsed
  if (schema instanceof z.ZodNumber) return numberWith(checks) ?? parsed
  if (checks.length > 0) return parsed
  if (schema instanceof z.ZodBoolean) return (raw) => typeof raw === 'boolean'
  const known = words ?? (schema instanceof z.ZodLiteral ? schema.values : undefined)
  return known ? (raw) => known.has(raw) : parsed
}

function textWith(checks: readonly z.core.$ZodCheck[]): ((raw: unknown) => boolean) | null {
  let shortest = 0
  for (const { _zod } of checks) {
    if (_zod.def.check !== 'min_length') return null
    shortest = Math.max(shortest, (_zod.def as z.core.$ZodCheckMinLengthDef).minimum)
  }
  return (raw) => typeof raw === 'string' && raw.length >= shortest
}

function numberWith(checks: readonly z.core.$ZodCheck[]): ((raw: unknown) => boolean) | null {
  let whole = false
  let least = -Infinity
  for (const { _zod } of checks) {
    const known = _zod.def as z.core.$ZodCheckNumberFormatDef | z.core.$ZodCheckGreaterThanDef
    if (known.check === 'number_format' && known.format === 'safeint') whole = true
    else if (known.check === 'greater_than' && known.inclusive && typeof known.value === 'number')
      least = Math.max(least, known.value)
    else return null
  }
  return whole
    ? (raw) => Number.isSafeInteger(raw) && (raw as number) >= least
    : (raw) => Number.isFinite(raw) && (raw as number) >= least
}

const ZERO = 48
/** The parser handles February 29. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const BETWEEN = [
  [4, '-'],
  [7, '-'],
  [10, 'T'],
  [13, ':'],
  [16, ':'],
] as const

/** A time as JSON.stringify writes it, fraction optional. The parser knows other forms. */
function isPlainTime(raw: unknown): boolean {
  if (typeof raw !== 'string') return false
  const last = raw.length - 1
  if (last < 19 || raw[last] !== 'Z') return false
  for (const [at, mark] of BETWEEN) if (raw[at] !== mark) return false
  if (twoDigits(raw, 0) < 0 || twoDigits(raw, 2) < 0) return false
  const month = twoDigits(raw, 5)
  const day = twoDigits(raw, 8)
  if (month < 1 || month > 12 || day < 1 || day > (DAYS[month - 1] as number)) return false
  if (
    !isBelow(twoDigits(raw, 11), 24) ||
    !isBelow(twoDigits(raw, 14), 60) ||
    !isBelow(twoDigits(raw, 17), 60)
  )
    return false
  if (last === 19) return true
  if (last === 20 || raw[19] !== '.') return false
  for (let at = 20; at < last; at++) if (!isBelow(raw.charCodeAt(at) - ZERO, 10)) return false
  return true
}

const isBelow = (value: number, most: number): boolean => value >= 0 && value < most

/** -1 if they aren't digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return isBelow(tens, 10) && isBelow(ones, 10) ? tens * 10 + ones : -1
}
