import type { Operation } from '../../../contract/declarations/operation.ts'
import type { NamedView } from '../../../contract/bridge/passed.ts'
import type { View } from '../../../contract/bridge/values.ts'
import type { TaggedValue } from './view-store.ts'

export interface CachedView {
  named: Required<NamedView>
  key: string
  op: Operation
  view: View<unknown>
  refreshing: Promise<void> | null
  /** Counts external changes, so that a slow answer doesn't overwrite a newer one. */
  version: number
  /** Merges frequent saves; `rereading` does the same for refreshes. */
  saving: NodeJS.Timeout | null
  rereading: NodeJS.Timeout | null
}

export const viewOf = ({ op }: CachedView, { value, tag }: TaggedValue, now: number): View<unknown> => ({
  value,
  asOf: new Date(now).toISOString(),
  stale: false,
  problem: null,
  ...(op.tag && { tag }),
})

export function itemsOf({ value }: View<unknown>): number {
  return (value as { items?: unknown[] } | null)?.items?.length ?? 0
}

export function stopTimers(held: CachedView): void {
  if (held.saving) clearTimeout(held.saving)
  if (held.rereading) clearTimeout(held.rereading)
  held.saving = null
  held.rereading = null
}

/** For all windows, far more than they can show. */
const MOST_SHOWN = 1000

export class ShownViews {
  readonly #windows = new Map<string, Set<object>>()

  has(key: string): boolean {
    return this.#windows.has(key)
  }

  keys(): string[] {
    return [...this.#windows.keys()]
  }

  show(key: string, by: object): void {
    const windows = this.#windows.get(key) ?? new Set()
    if (windows.size === 0 && this.#windows.size >= MOST_SHOWN) return
    this.#windows.set(key, windows.add(by))
  }

  leave(key: string, by: object): void {
    const windows = this.#windows.get(key)
    windows?.delete(by)
    if (windows?.size === 0) this.#windows.delete(key)
  }

  detach(by: object): void {
    for (const key of this.keys()) this.leave(key, by)
  }
}

/** Views in memory; recent ones are refreshed when they become stale. */
const HELD = 24
const RECENT = 4
/** Items in memory, about 7 MB; the views shown last may exceed it. */
const HELD_ITEMS = 20_000

/** Evicts large views such as folders, least recently shown first. */
export class LruViews {
  /** Item counts by key, most recently shown last. */
  readonly #items = new Map<string, number>()

  has(key: string): boolean {
    return this.#items.has(key)
  }

  show(key: string, items: number): string[] {
    this.#items.delete(key)
    this.#items.set(key, items)
    let all = [...this.#items.values()].reduce((sum, count) => sum + count, 0)
    const gone: string[] = []
    for (const [oldest, count] of this.#items) {
      const isLarge = this.#items.size > RECENT && all > HELD_ITEMS
      if (this.#items.size <= HELD && !isLarge) break
      all -= count
      this.#items.delete(oldest)
      gone.push(oldest)
    }
    return gone
  }

  count(key: string, items: number): void {
    if (this.#items.has(key)) this.#items.set(key, items)
  }

  forget(key: string): void {
    this.#items.delete(key)
  }

  recent(): ReadonlySet<string> {
    return new Set([...this.#items.keys()].slice(-RECENT))
  }
}
