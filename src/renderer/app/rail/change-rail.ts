import type { Rail } from '../../../contract/rules/rail.ts'
import { asProblem, call } from '../../core/bridge.ts'
import { rails } from '../../core/rails.svelte.ts'
import type { RailSection } from './rail-sections.ts'
import { foldFolder, type Step } from './steps.ts'

let last: Promise<unknown> = Promise.resolve()

/** How often a step is taken anew because another window was faster. */
const TRIES = 4

/** Takes a step, on what another window has made of the arrangement where there is that. Throws a `Problem`. */
export function changeRail(connectionId: string, step: Step): Promise<Rail> {
  // One after the other: each is based on the one before.
  const kept = last.then(() => take(connectionId, step, TRIES))
  last = kept.catch(() => undefined)
  return kept
}

async function take(connectionId: string, step: Step, tries: number): Promise<Rail> {
  const now = rails.of(connectionId)
  try {
    const kept = await call('rail.arrange', {
      connectionId,
      base: now?.revision ?? null,
      arrangement: step(now ?? { loose: [], folders: [], marks: [] }),
    })
    rails.take(kept)
    return kept
  } catch (thrown) {
    if (tries === 1 || asProblem(thrown).code !== 'changed') throw thrown
    await rails.read()
    return take(connectionId, step, tries - 1)
  }
}

/** Folds a folder as it is shown, or unfolds it. Throws a `Problem`. */
export const fold = (connectionId: string, section: RailSection, collapsed: boolean): Promise<Rail> =>
  changeRail(connectionId, foldFolder(section, collapsed))
