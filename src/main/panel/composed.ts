import type { ReadId, ViewId } from '../../contract/areas/index.ts'
import type { ParsedRequest, NamedView, ViewValue } from '../../contract/bridge/passed.ts'
import type { FollowedJobs } from '../areas/files/followed-jobs.ts'
import { fileViews } from '../areas/files/views.ts'
import { type AddedServerCache, serverViews } from '../areas/servers/views.ts'
import { softwareViews } from '../areas/software/views.ts'

export type ViewFetcher = <R extends ViewId>(
  read: R,
  input?: Partial<ParsedRequest>,
) => Promise<PlainValue<R>>
export type PlainValue<R extends ViewId> = R extends 'software.list'
  ? Omit<ViewValue<R>, 'items'> & { items: Omit<ViewValue<R>['items'][number], 'versions' | 'heldSince'>[] }
  : ViewValue<R>

/** A view that adds to the read it is named after. */
export interface ComposedView<V extends ViewId> {
  of: readonly [V, ...ReadId[]]
  read(ask: ViewFetcher, named: Required<NamedView<V>>): Promise<ViewValue<V>>
  /** Validates stored list items; any object by default. */
  isItem?: (item: Record<string, unknown>) => boolean
}
export type Compositions = { [V in ViewId]?: ComposedView<V> }

export interface ComposedDependencies {
  followedJobs: FollowedJobs
  added: AddedServerCache
}

export const compositions = (rooms: ComposedDependencies): Compositions => ({
  ...fileViews(rooms),
  ...serverViews(rooms),
  ...softwareViews,
})
