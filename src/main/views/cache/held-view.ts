import type { Operation } from '../../../contract/declarations/operation.ts'
import type { NamedView } from '../../../contract/bridge/passed.ts'
import type { View } from '../../../contract/bridge/values.ts'
import type { TaggedValue } from './view-source.ts'

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
