import type { ReadId, ViewId } from '../../../contract/areas/index.ts'
import type { NamedView } from '../../../contract/bridge/passed.ts'

export interface TaggedValue {
  value: unknown
  tag: string | null
}

export interface ViewSource {
  /** Throws a `PanelProblem`. */
  read(named: NamedView): Promise<TaggedValue>
  madeOf(view: ViewId): readonly ReadId[]
  /** Forgets what the service doesn't offer in the view's areas. */
  askAgain(named: NamedView): void
  isShaped(view: ViewId, value: unknown): boolean
}
