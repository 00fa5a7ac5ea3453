import type { Operation } from '../../contract/declarations/operation.ts'
import type { Drift } from '../api/reader/drift.ts'
import type { Cache } from '../views/cache/cache.ts'
import { DRIFTS_MOST, type DriftRow } from '../views/cache/tables/drift-table.ts'
import type { Log } from '../logging/log.ts'

const WRITE_AFTER = 2000

export interface DriftPorts {
  cache: Pick<Cache, 'addDrifts' | 'drifts' | 'forgetDrifts'>
  log: Log
  now: () => number
  onMore: (connectionId: string) => void
}

/** Deviations of each service from the contract, for its operators. Persistent and bounded. */
export class DriftReports {
  readonly #ports: DriftPorts
  readonly #waiting = new Map<string, Map<string, DriftRow>>()
  #timer: NodeJS.Timeout | null = null

  constructor(ports: DriftPorts) {
    this.#ports = ports
  }

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

  async clear(connectionId: string): Promise<void> {
    this.#waiting.delete(connectionId)
    await this.#ports.cache.forgetDrifts(connectionId)
  }

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
      // The next response shows it again.
      this.#ports.log.warn('a report of drifting answers could not be kept', { error })
    }
  }
}
