import type { ViewId } from '../../../contract/areas/index.ts'
import type { Operation } from '../../../contract/declarations/operation.ts'
import { isOneOfMany, type NamedView } from '../../../contract/bridge/passed.ts'
import type { View } from '../../../contract/bridge/values.ts'
import { storedJson } from '../../storage/stored-json.ts'
import type { Cache } from './cache.ts'

const nothing: View<unknown> = { value: null, asOf: null, stale: true, problem: null }

export class ViewDisk {
  readonly #cache: Cache
  readonly #isShaped: (view: ViewId, value: unknown) => boolean

  constructor(cache: Cache, isShaped: (view: ViewId, value: unknown) => boolean) {
    this.#cache = cache
    this.#isShaped = isShaped
  }

  /** A damaged record counts as missing. */
  async read({ id, keep, tag }: Operation, key: string): Promise<View<unknown>> {
    if (keep !== 'disk') return nothing
    try {
      const stored = await this.#cache.readView(key)
      const value = storedJson(stored?.value ?? null)
      if (!stored || !this.#isShaped(id as ViewId, value)) return nothing
      return { ...nothing, value, asOf: stored.asOf, ...(tag && { tag: stored.tag ?? null }) }
    } catch {
      return nothing
    }
  }

  /** Never rejects: the value is in memory, and the service has it. */
  async write(op: Operation, key: string, named: Required<NamedView>, view: View<unknown>): Promise<void> {
    if (op.keep !== 'disk' || view.value === null || view.asOf === null) return
    const stored = { value: JSON.stringify(view.value), asOf: view.asOf, tag: view.tag ?? null }
    await this.#cache
      .writeView(key, named.connectionId, named.params.serverId ?? null, stored, isOneOfMany(op))
      .catch(() => undefined)
  }
}
