import type { ServerList, View } from '../../../contract/bridge/values.ts'
import type { ProblemData } from '../../core/bridge.ts'

export type Listing =
  | 'complete'
  /** The service may have more. */
  | 'incomplete'
  /** Unreadable: old data, or none. */
  | 'failed'
  /** The service has no list: servers are added by ID. */
  | 'absent'
  /** The account may not see the list; as `absent`. */
  | 'forbidden'

type ListState = Pick<View<ServerList>, 'value'> & { problem: ProblemData | null }

export function listingOf({ value, problem }: ListState): Listing | null {
  if (problem?.code === 'unavailable') return 'absent'
  if (problem?.code === 'forbidden') return 'forbidden'
  if (problem) return 'failed'
  if (!value) return null
  if (value.byId) return value.byId
  return value.more || value.leftOut.length > 0 ? 'incomplete' : 'complete'
}

export const isById = (listing: Listing | null): listing is 'absent' | 'forbidden' =>
  listing === 'absent' || listing === 'forbidden'
