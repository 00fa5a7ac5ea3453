import type { Rail } from '../../../contract/rules/rail/rail.ts'
import { Lanes } from '../../../contract/rules/lanes.ts'
import { asProblem, call } from '../../core/bridge.ts'
import { rails } from '../../core/rails.svelte.ts'
import type { RailSection } from './rail-sections.ts'
import { foldFolder, type Step } from './steps.ts'

const steps = new Lanes({ atOnce: 1 })

const TRIES = 4

/** Applies a step, again on top of another window's change if there was one. Throws a `Problem`. */
export function changeRail(connectionId: string, step: Step): Promise<Rail> {
  // Sequential: each step builds on the last.
  return steps.run('', () => take(connectionId, step, TRIES))
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

/** Throws a `Problem`. */
export const fold = (connectionId: string, section: RailSection, collapsed: boolean): Promise<Rail> =>
  changeRail(connectionId, foldFolder(section, collapsed))
