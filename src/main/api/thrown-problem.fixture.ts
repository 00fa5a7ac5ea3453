import type { Problem } from '../../contract/bridge/problem.ts'
import { PanelProblem } from '../base/problem.ts'

/** For tests: the problem that a promise is rejected with. Throws what is none, and where it is fulfilled. */
export async function thrownProblem(promise: Promise<unknown>): Promise<Problem> {
  const fault: unknown = await promise.then(
    () => new Error('no problem arose'),
    (reason: unknown) => reason,
  )
  if (fault instanceof PanelProblem) return fault.problem
  throw fault
}
