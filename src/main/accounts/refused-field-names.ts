import type { WantedName } from '../../contract/bridge/problem.ts'
import type { DriftRow } from '../views/cache/tables/drift-table.ts'
import { REQUEST } from '../profiles/propose-profile.ts'
import type { SeenOnTheWay } from './sign-in.ts'

/** Services of which it is known: people try few before they are signed in. */
const SERVICES_MOST = 20

/** What services without a connection call the fields of requests that they refused, until a profile says it. */
export class RefusedFieldNames {
  readonly #rows = new Map<string, DriftRow[]>()

  /** Takes what was seen of a service when it refused; answers the names it wants. */
  note(baseUrl: string, seen: SeenOnTheWay): WantedName[] {
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

  /** What is known of a service, and known no more after that. */
  take(baseUrl: string): DriftRow[] {
    const rows = this.#rows.get(baseUrl) ?? []
    this.#rows.delete(baseUrl)
    return rows
  }
}
