import type { Problem, ProblemCode } from '../../contract/bridge/problem.ts'
import type { Said } from '../../contract/messages/say.ts'

/** The one error main throws on purpose. The registrar hands its `problem` on; any other error becomes `internal`. */
export class PanelProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options)
    this.name = 'PanelProblem'
    this.problem = problem
  }
}

/** Codes where the same call can work later without anybody changing anything. */
const worthAgain: ReadonlySet<ProblemCode> = new Set([
  'offline',
  'service-failed',
  'rate-limited',
  'local-failed',
])

/** What a problem has beside its code and its words. */
export type Extra = Partial<Omit<Problem, 'code' | keyof Said>>

/**
 * Makes a problem as plain data. `retryable` follows from the code unless given.
 * @param said a sentence of ours (`say`), or what a service sent
 */
export function problemOf(code: ProblemCode, said: Said, extra: Extra = {}): Problem {
  const { message, text } = said
  const made = { code, message, ...(text && { text }), retryable: worthAgain.has(code), ...extra }
  // By this code the panel speaks for this computer, in sentences of its own: no service may do that.
  if ((!text || text.key.startsWith('refused.')) && made.serviceCode?.startsWith('computer.'))
    delete made.serviceCode
  return made
}

/** Makes a problem that can be thrown. */
export function problem(code: ProblemCode, said: Said, extra: Extra = {}): PanelProblem {
  return new PanelProblem(problemOf(code, said, extra))
}
