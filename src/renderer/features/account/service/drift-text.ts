import type { Connection, DriftEntry, DriftReport } from '../../../../contract/bridge/values.ts'

/** One entry per kind of deviation at the place. */
export type DriftGroup = readonly [DriftEntry, ...DriftEntry[]]

export function placesOf(rows: readonly DriftEntry[]): DriftGroup[] {
  const byPlace = Map.groupBy(rows, ({ operation, field }) => `${operation}\n${field}`)
  return [...byPlace.values()] as unknown as DriftGroup[]
}

export function countsOf(rows: readonly DriftEntry[]): { answers: number; requests: number } {
  const places = placesOf(rows)
  const requests = places.filter(([{ field }]) => field.startsWith('request.')).length
  return { answers: places.length - requests, requests }
}

/** For the service's developers, so in English: names and kinds, never values. */
export function driftText({ baseUrl }: Pick<Connection, 'baseUrl'>, { places, more }: DriftReport): string {
  const byOperation = Map.groupBy(places, ({ operation }) => operation)
  const parts = [...byOperation].map(([operation, some]) => {
    const { method, path } = some[0] as DriftEntry
    return [`${operation} (${method} ${path})`, ...some.map((place) => `  ${lineOf(place)}`)].join('\n')
  })
  const end = more ? ['There may be more: only so many differences are kept.'] : []
  return [`Differences from the Hosting Control API seen at ${baseUrl}`, ...parts, ...end].join('\n\n')
}

function lineOf({ field, expected, found, foundAs, count, since }: DriftEntry): string {
  const as = foundAs === null ? '' : ` as "${foundAs}"`
  return `${field || '(whole answer)'}: expected ${expected}, found ${found}${as}; ${count} times since ${since}`
}
