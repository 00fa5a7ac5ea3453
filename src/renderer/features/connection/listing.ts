import type { ServerList, View } from '../../../contract/bridge/values.ts'
import type { ProblemData } from '../../core/bridge.ts'

/** What a list of servers says where it shows none, or not all. */
export type Listing =
  /** It holds all there are. */
  | 'complete'
  /** The service may have more than it shows. */
  | 'incomplete'
  /** It could not be read, so what is shown may be old, or nothing is known. */
  | 'failed'
  /** The service gives no list: servers are added by their IDs. */
  | 'absent'
  /** The account may not see the list: as above. */
  | 'forbidden'

type Shown = Pick<View<ServerList>, 'value'> & { problem: ProblemData | null }

/** How far a list can be believed; null while nothing was answered. */
export function listingOf({ value, problem }: Shown): Listing | null {
  if (problem?.code === 'unavailable') return 'absent'
  if (problem?.code === 'forbidden') return 'forbidden'
  if (problem) return 'failed'
  if (!value) return null
  if (value.byId) return value.byId
  return value.more || value.leftOut.length > 0 ? 'incomplete' : 'complete'
}

/** Whether a listing is none that the service gave. */
export const isById = (listing: Listing | null): listing is 'absent' | 'forbidden' =>
  listing === 'absent' || listing === 'forbidden'
