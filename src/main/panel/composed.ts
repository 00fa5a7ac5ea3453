import type { ReadId, ViewId } from '../../contract/areas/index.ts'
import type { Asking, NamedView, ViewValue } from '../../contract/bridge/passed.ts'
import type { FollowedJobs } from '../areas/files/followed-jobs.ts'
import { fileViews } from '../areas/files/views.ts'
import { type Added, serverViews } from '../areas/servers/views.ts'
import { softwareViews } from '../areas/software/views.ts'

/** What the plain reads of a connection answer: lists with all their pages. */
export type Ask = <R extends ViewId>(read: R, input?: Partial<Asking>) => Promise<Plain<R>>
/** The value of a read by itself, before a view is composed of it. */
export type Plain<R extends ViewId> = R extends 'software.list'
  ? Omit<ViewValue<R>, 'items'> & { items: Omit<ViewValue<R>['items'][number], 'versions' | 'heldSince'>[] }
  : ViewValue<R>

/** A view that is more than the answer of the read it is named after. */
export interface Composed<V extends ViewId> {
  /** The reads it is made of, so that what makes one of them stale reaches it. */
  of: readonly [V, ...ReadId[]]
  read(ask: Ask, named: Required<NamedView<V>>): Promise<ViewValue<V>>
  /** Whether an item of a list that the disk holds can be of it; any object unless given. */
  isItem?: (item: Record<string, unknown>) => boolean
}
export type Compositions = { [V in ViewId]?: Composed<V> }

/** What composed views work with beside the service. */
export interface ComposingRooms {
  followedJobs: FollowedJobs
  added: Added
}

export const compositions = (rooms: ComposingRooms): Compositions => ({
  ...fileViews(rooms),
  ...serverViews(rooms),
  ...softwareViews,
})
