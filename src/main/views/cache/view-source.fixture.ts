import type { NamedView } from '../../../contract/bridge/passed.ts'
import type { ViewId } from '../../../contract/areas/index.ts'
import { viewReader } from '../view-reader.ts'
import type { ViewSource } from './view-store.ts'

/** Tests only: views that are read as the test says. */
export function scriptedViews(answers: {
  [V in ViewId]?: (named: Required<NamedView<V>>) => Promise<unknown>
}): ViewSource {
  const { madeOf, isShaped } = viewReader(() => {
    throw new Error('There is no service.')
  }, {})
  return {
    madeOf,
    isShaped,
    askAgain: () => undefined,
    async read(named) {
      const answer = answers[named.view] as ((named: NamedView) => Promise<unknown>) | undefined
      return { value: await answer?.(named), tag: null }
    },
  }
}
