import type { ReadId, ViewId } from '../../../contract/areas/index.ts'
import type { NamedView } from '../../../contract/bridge/passed.ts'

/** What was read of a view, with its ETag where there is one. */
export interface ReadValue {
  value: unknown
  tag: string | null
}

/** How views are read from their services. */
export interface ViewSource {
  /** Throws a `PanelProblem`. */
  read(named: NamedView): Promise<ReadValue>
  /** The reads that a view is made of. */
  madeOf(view: ViewId): readonly ReadId[]
  /** Forgets what the service does not offer of the areas that a view belongs to. */
  askAgain(named: NamedView): void
  /** Whether what the disk holds can be a view. */
  isShaped(view: ViewId, value: unknown): boolean
}
