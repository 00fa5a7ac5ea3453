import type { Operation } from '../../contract/declarations/operation.ts'
import type { Drift } from '../api/reader/drift.ts'
import type { Cache } from '../views/cache/cache.ts'
import { DRIFTS_MOST, type DriftRow } from '../views/cache/tables/drift-table.ts'
import type { Log } from '../logging/log.ts'

/** What was seen is written down together, after so many ms: a service that drifts does so in every answer. */
const WRITE_AFTER = 2000

export interface DriftPorts {
  cache: Pick<Cache, 'addDrifts' | 'drifts' | 'forgetDrifts'>
  log: Log
  now: () => number
  /** What was seen of a connection has been written down. */
  onMore: (connectionId: string) => void
}

/** Where each service answers otherwise than the contract, for the people who run it. Kept over restarts; bounded. */
export class DriftReports {
  readonly #ports: DriftPorts
  /** Not written down yet, by connection and what it says. */
  readonly #waiting = new Map<string, Map<string, DriftRow>>()
  #timer: NodeJS.Timeout | null = null

  constructor(ports: DriftPorts) {
    this.#ports = ports
  }

  /** Takes what reading an answer found out. */
  note(connectionId: string, { id }: Pick<Operation, 'id'>, drifts: readonly Drift[]): void {
    let rows = this.#waiting.get(connectionId)
    if (!rows) this.#waiting.set(connectionId, (rows = new Map<string, DriftRow>()))
    for (const { path, expected, found, as = null } of drifts) {
      const key = [id, path, expected, found, as ?? ''].join('\n')
      const row = rows.get(key)
      if (row) row.count++
      else if (rows.size < DRIFTS_MOST)
        rows.set(key, {
          operation: id,
          field: path,
          expected,
          found,
          foundAs: as,
          count: 1,
          since: this.#ports.now(),
        })
    }
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER).unref()
  }

  async read(connectionId: string): Promise<DriftRow[]> {
    await this.flush()
    return this.#ports.cache.drifts(connectionId)
  }

  /** Forgets what was seen: on a person's word, or with the connection. */
  async clear(connectionId: string): Promise<void> {
    this.#waiting.delete(connectionId)
    await this.#ports.cache.forgetDrifts(connectionId)
  }

  /** Writes down what waits. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    try {
      for (const [connectionId, rows] of waiting) {
        await this.#ports.cache.addDrifts(connectionId, [...rows.values()])
        this.#ports.onMore(connectionId)
      }
    } catch (error) {
      // It is seen again with the next answer.
      this.#ports.log.warn('a report of drifting answers could not be kept', { error })
    }
  }
}
