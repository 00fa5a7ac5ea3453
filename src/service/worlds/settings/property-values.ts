import type { z } from 'zod'
import type { ServerProperty } from '../../../contract/areas/server-properties.ts'
import { propertiesIn } from '../../../contract/pure/properties-text.ts'
import { isWithheld, KNOWN_PROPERTIES, type KnownProperty, propertiesOf } from './properties-table.ts'

export type PropertyIn = z.input<typeof ServerProperty>

/** Most keys beside the known ones that are shown; the others stay in the file. */
const FOREIGN_MOST = 200
/** Longest value that is shown, in characters. */
const SHOWN_MOST = 5000

/** What a text of server.properties says, as the API tells it: first what this version knows, then what else is there. */
export function propertiesView(
  text: string,
  version: string,
  running: ReadonlyMap<string, string> | null,
): PropertyIn[] {
  const values = propertiesIn(text)
  const known = propertiesOf(version)
  const isKnown = new Set(known.map(({ key }) => key))
  const others = [...values.keys()].filter(
    (key) => !isKnown.has(key) && !isWithheld(key) && key.length <= 200,
  )
  return [
    ...known.map((one) => shown(one, values.get(one.key), running)),
    ...others.slice(0, FOREIGN_MOST).map((key) => {
      const former = KNOWN_PROPERTIES.find((one) => one.key === key)
      if (former) return { ...shown(former, values.get(key), null), problem: 'unused' as const }
      const value = values.get(key)!.slice(0, SHOWN_MOST)
      const isWhole = value.length === values.get(key)!.length
      return {
        ...{ key, type: 'text' as const, value, group: 'other' as const, needsRestart: true },
        ...(isWhole ? {} : { readOnly: true }),
      }
    }),
  ]
}

/** What is compared to tell whether somebody has changed something: all values but those that are withheld. */
export function tellingValues(text: string): [string, string][] {
  return [...propertiesIn(text)].filter(([key]) => !isWithheld(key)).sort(([a], [b]) => (a < b ? -1 : 1))
}

function shown(
  one: KnownProperty,
  value: string | undefined,
  running: ReadonlyMap<string, string> | null,
): PropertyIn {
  const { key, type, group, min, max, choices, readOnly } = one
  const problem = value === undefined ? null : problemOf(one, value)
  const runs = running && (running.get(key) ?? one.default)
  // A whitelist is turned on and off while the server runs, and nobody tells.
  const differs = runs !== null && key !== 'white-list' && runs.trim() !== (value ?? one.default).trim()
  return {
    ...{ key, type, group, value: value?.slice(0, SHOWN_MOST) ?? null, default: one.default },
    ...((min ?? max ?? choices) === undefined
      ? {}
      : { limits: { min: min ?? null, max: max ?? null, choices: choices ? [...choices] : null } }),
    needsRestart: true,
    ...(differs && { running: runs.slice(0, SHOWN_MOST) }),
    ...(problem && { problem }),
    ...(readOnly && { readOnly }),
  }
}

/** What is wrong with a value; null where it fits. */
export function problemOf(
  { type, min, max, choices, isFolder }: KnownProperty,
  value: string,
): 'type' | 'range' | 'choice' | null {
  const said = value.trim()
  switch (type) {
    case 'switch':
      return /^(?:true|false)$/i.test(said) ? null : 'type'
    case 'number':
      if (!/^-?\d{1,16}$/.test(said)) return 'type'
      return Number(said) < (min ?? -2_147_483_648) || Number(said) > (max ?? 2_147_483_647) ? 'range' : null
    case 'choice':
      return choices?.includes(said.toLowerCase()) ? null : 'choice'
    case 'text':
      // Minecraft would write its world wherever it leads.
      return isFolder && !staysWithin(said) ? 'type' : null
  }
}

/** Whether a path stays in the folder that it begins in, on each system. */
export const staysWithin = (path: string): boolean =>
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  !/^[/\\]|[:\x00-\x1f]/.test(path) && !path.split(/[/\\]/).includes('..')
