import type { ReadId, ViewId } from '../../contract/areas/index.ts'
import type { Asking, NamedView, ViewValue } from '../../contract/bridge/passed.ts'
import type { FollowedJobs } from '../areas/files/followed-jobs.ts'
import { fileViews } from '../areas/files/views.ts'
import { type Added, serverViews } from '../areas/servers/views.ts'
import { softwareViews } from '../areas/software/views.ts'

export type Ask = <R extends ViewId>(read: R, input?: Partial<Asking>) => Promise<Plain<R>>
export type Plain<R extends ViewId> = R extends 'software.list'
  ? Omit<ViewValue<R>, 'items'> & { items: Omit<ViewValue<R>['items'][number], 'versions' | 'heldSince'>[] }
  : ViewValue<R>

/** A view that adds to the read it is named after. */
export interface Composed<V extends ViewId> {
  of: readonly [V, ...ReadId[]]
  read(ask: Ask, named: Required<NamedView<V>>): Promise<ViewValue<V>>
  /** Validates stored list items; any object by default. */
  isItem?: (item: Record<string, unknown>) => boolean
}
export type Compositions = { [V in ViewId]?: Composed<V> }

export interface ComposingRooms {
  followedJobs: FollowedJobs
  added: Added
}

export const compositions = (rooms: ComposingRooms): Compositions => ({
  ...fileViews(rooms),
  ...serverViews(rooms),
  ...softwareViews,
})
