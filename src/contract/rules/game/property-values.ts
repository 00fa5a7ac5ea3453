import type { PropertyInput } from '../../areas/values/server-properties.ts'
import { javaBoolean, javaInt, javaLong, visible } from '../java-values.ts'
import { isWorldFolder } from '../paths.ts'
import { propertiesIn, readProperties } from '../properties-text.ts'
import { isWithheld, KNOWN_PROPERTIES, type KnownProperty, propertiesOf } from './properties-table.ts'

/** Unknown keys shown; the others stay in the file. */
const FOREIGN_MOST = 200
const SHOWN_MOST = 5000
/** UTF-8 byte order mark, also as read in Latin-1; the game reads it as part of the first key. */
const MARKS = ['\ufeff', '\u00ef\u00bb\u00bf']
const INT_MOST = 2_147_483_647

export function propertiesView(
  text: string,
  version: string,
  running: ReadonlyMap<string, string> | null,
): PropertyInput[] {
  const { values, malformed } = readProperties(text)
  const known = propertiesOf(version)
  const isKnown = new Set(known.map(({ key }) => key))
  const isMarked = (key: string) => MARKS.some((mark) => key.startsWith(mark))
  // After a byte order mark, the first line is often a comment.
  const isComment = (key: string) => isMarked(key) && /^\P{ASCII}+[#!]/u.test(key)
  const others = [...values.keys()].filter(
    (key) => !isKnown.has(key) && !isWithheld(key) && !isComment(key) && key.length <= 200,
  )
  const problemWith = (one: KnownProperty, value: string | undefined) => {
    if (one.readOnly) return null
    if (malformed.has(one.key)) return 'escape'
    if (value !== undefined) return problemOf(one, value)
    return MARKS.some((mark) => values.has(mark + one.key)) ? 'byte-order-mark' : null
  }
  return [
    ...known.map((one) => {
      const value = values.get(one.key)
      return shown(one, value, problemWith(one, value), running)
    }),
    ...others.slice(0, FOREIGN_MOST).map((key) => {
      const former = KNOWN_PROPERTIES.find((one) => one.key === key)
      if (former) return shown(former, values.get(key), 'unused', null)
      const value = values.get(key)!.slice(0, SHOWN_MOST)
      const isWhole = value.length === values.get(key)!.length
      const problem = malformed.has(key) ? 'escape' : isMarked(key) ? 'byte-order-mark' : null
      return {
        ...{ key, type: 'text' as const, value, group: 'other' as const, needsRestart: true },
        ...(isWhole ? {} : { readOnly: true }),
        ...(problem && { problem: problem }),
      }
    }),
  ]
}

/** For detecting changes by others: everything but withheld keys. */
export function tellingValues(text: string): [string, string][] {
  return [...propertiesIn(text)].filter(([key]) => !isWithheld(key)).sort(([a], [b]) => (a < b ? -1 : 1))
}

function shown(
  one: KnownProperty,
  value: string | undefined,
  problem: NonNullable<PropertyInput['problem']> | null,
  running: ReadonlyMap<string, string> | null,
): PropertyInput {
  const { key, type, group, min, max, choices, readOnly } = one
  const reads = value === undefined ? one.default : readingOf(one, value)
  const runs = running && readingOf(one, running.get(key) ?? one.default)
  // The whitelist can be toggled at runtime without notice.
  const differs = runs !== null && key !== 'white-list' && runs !== reads
  const isOther =
    reads !== null && value !== undefined && reads !== value && !readOnly && problem !== 'escape'
  return {
    ...{ key, type, group, value: value?.slice(0, SHOWN_MOST) ?? null, default: one.default },
    ...((min ?? max ?? choices) === undefined
      ? {}
      : { limits: { min: min ?? null, max: max ?? null, choices: choices ? [...choices] : null } }),
    needsRestart: true,
    ...(differs && { running: runs.slice(0, SHOWN_MOST) }),
    ...(problem && { problem }),
    ...(isOther && { reads }),
    ...(readOnly && { readOnly }),
  }
}

/** As the game reads it: invalid values are the default. Null: depends on the version. */
function readingOf(one: KnownProperty, value: string): string | null {
  switch (one.type) {
    case 'switch':
      return String(javaBoolean(value))
    case 'number':
      return String(numberIn(one, value) ?? one.default)
    case 'choice': {
      const number = one.isNumbered ? javaInt(value) : null
      if (number !== null) return one.choices?.[number] ?? null
      return one.choices?.includes(value) ? value : one.default
    }
    case 'text':
      return value
  }
}

const numberIn = ({ max = 0 }: KnownProperty, value: string): number | null =>
  max > INT_MOST ? javaLong(value) : javaInt(value)

/** Null if valid. `blank`: invalid only because of invisible characters. */
export function problemOf(one: KnownProperty, value: string): 'type' | 'range' | 'choice' | 'blank' | null {
  const wrong = wrongWith(one, value)
  const isBlank = value !== visible(value)
  if (wrong !== null && isBlank && wrongWith(one, visible(value)) === null) return 'blank'
  return wrong === null && isBlank && one.isFolder ? 'blank' : wrong
}

function wrongWith(one: KnownProperty, value: string): 'type' | 'range' | 'choice' | null {
  const { min = -INT_MOST - 1, max = INT_MOST } = one
  switch (one.type) {
    case 'switch':
      return /^(?:true|false)$/i.test(value) ? null : 'type'
    case 'number': {
      const number = numberIn(one, value)
      return number === null ? 'type' : number < min || number > max ? 'range' : null
    }
    case 'choice': {
      const number = one.isNumbered ? javaInt(value) : null
      return one.choices?.includes(value) || one.choices?.[number ?? -1] !== undefined ? null : 'choice'
    }
    case 'text':
      // Minecraft writes its world wherever this leads.
      return one.isFolder && !isWorldFolder(value) ? 'type' : null
  }
}

const WRONG_VALUES = {
  type: 'setting-type',
  range: 'setting-range',
  choice: 'setting-choice',
  blank: 'setting-blank',
} as const

type ChangeFault =
  'setting-secret' | 'setting-decided' | 'setting-unknown' | (typeof WRONG_VALUES)[keyof typeof WRONG_VALUES]

/** Why values can't be set, by key. `there`: what the file has. A null value removes the key. */
export function changeFaults(
  version: string,
  properties: readonly PropertyInput[] | null,
  there: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, string | null>,
): Map<string, ChangeFault> {
  const shown = new Map(properties?.map((one) => [one.key, one]))
  const known = new Map(propertiesOf(version).map((one) => [one.key, one]))
  const faults = new Map<string, ChangeFault>()
  for (const [key, value] of changes) {
    const one = known.get(key)
    const wrong = one && value !== null ? problemOf(one, value) : null
    if (isWithheld(key)) faults.set(key, 'setting-secret')
    else if (shown.get(key)?.readOnly) faults.set(key, 'setting-decided')
    else if (!shown.has(key) && !there.has(key)) faults.set(key, 'setting-unknown')
    else if (wrong !== null) faults.set(key, WRONG_VALUES[wrong])
  }
  return faults
}
