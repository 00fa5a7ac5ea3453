import type { WantedName } from '../../contract/bridge/problem.ts'
import type { DriftRow } from '../views/cache/tables/drift-table.ts'
import { REQUEST } from '../profiles/propose-profile.ts'
import type { EarlyDrift } from './sign-in.ts'

const SERVICES_MOST = 20

/** Field names learned from a service's refusals before there is a connection, until a profile has them. */
export class RefusedFieldNames {
  readonly #rows = new Map<string, DriftRow[]>()

  note(baseUrl: string, seen: EarlyDrift): WantedName[] {
    const rows = seen.flatMap(([{ id }, drifts]) =>
      drifts.flatMap(({ path, expected, found, as }): DriftRow[] =>
        as !== undefined && path.startsWith(REQUEST)
          ? [{ operation: id, field: path, expected, found, foundAs: as, count: 1, since: 0 }]
          : [],
      ),
    )
    this.#rows.delete(baseUrl)
    if (rows.length > 0) this.#rows.set(baseUrl, rows)
    for (const oldest of [...this.#rows.keys()].slice(0, -SERVICES_MOST)) this.#rows.delete(oldest)
    return rows.map(({ field, foundAs }) => ({ field: field.slice(REQUEST.length), as: foundAs ?? '' }))
  }

  take(baseUrl: string): DriftRow[] {
    const rows = this.#rows.get(baseUrl) ?? []
    this.#rows.delete(baseUrl)
    return rows
  }
}
