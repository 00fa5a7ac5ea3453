import type { Connection, DriftPlace } from '../../../contract/bridge/values.ts'

/** A report as a text for the people who develop a service, who may speak any language: names and kinds, never values. */
export function driftText({ baseUrl }: Pick<Connection, 'baseUrl'>, places: readonly DriftPlace[]): string {
  const byOperation = Map.groupBy(places, ({ operation }) => operation)
  const parts = [...byOperation].map(([operation, some]) => {
    const { method, path } = some[0] as DriftPlace
    return [`${operation} (${method} ${path})`, ...some.map((place) => `  ${lineOf(place)}`)].join('\n')
  })
  return [`Differences from the Hosting Control API seen at ${baseUrl}`, ...parts].join('\n\n')
}

function lineOf({ field, expected, found, foundAs, count, since }: DriftPlace): string {
  const as = foundAs === null ? '' : ` as "${foundAs}"`
  return `${field || '(whole answer)'}: expected ${expected}, found ${found}${as}; ${count} times since ${since}`
}
