import type { Operation } from '../../../contract/declarations/operation.ts'
import type { NamedView } from '../../../contract/bridge/passed.ts'
import type { View } from '../../../contract/bridge/values.ts'
import type { ReadValue } from './view-source.ts'

/** A view that is held in memory. */
export interface Held {
  named: Required<NamedView>
  key: string
  op: Operation
  view: View<unknown>
  /** The refresh under way, so that ten readers cost one request. */
  refreshing: Promise<void> | null
  /** Counts changes from elsewhere, so that a slow answer does not undo a newer one. */
  version: number
  /** A save that waits for the next one. */
  saving: NodeJS.Timeout | null
  /** A refresh that waits, so that ten commands in a row cost one. */
  rereading: NodeJS.Timeout | null
}

/** A value as it was read just now. */
export const viewOf = ({ op }: Held, { value, tag }: ReadValue, now: number): View<unknown> => ({
  value,
  asOf: new Date(now).toISOString(),
  stale: false,
  problem: null,
  ...(op.tag && { tag }),
})

/** How many items a list has; none for what is no list. */
export function itemsOf({ value }: View<unknown>): number {
  return (value as { items?: unknown[] } | null)?.items?.length ?? 0
}

export function stopTimers(held: Held): void {
  if (held.saving) clearTimeout(held.saving)
  if (held.rereading) clearTimeout(held.rereading)
  held.saving = null
  held.rereading = null
}
