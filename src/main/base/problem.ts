import type { Problem, ProblemCode } from '../../contract/bridge/problem.ts'
import type { LocalizedText } from '../../contract/messages/localized-text.ts'

/**
 * The only error main throws deliberately. The registrar passes on its `problem`; any other error becomes `internal`.
 */
export class PanelProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options)
    this.name = 'PanelProblem'
    this.problem = problem
  }
}

const worthAgain: ReadonlySet<ProblemCode> = new Set([
  'offline',
  'service-failed',
  'rate-limited',
  'local-failed',
])

export type ProblemFields = Partial<Omit<Problem, 'code' | keyof LocalizedText>>

/** @param said a sentence of ours (`say`), or a service's text */
export function problemOf(code: ProblemCode, said: LocalizedText, extra: ProblemFields = {}): Problem {
  const { message, text } = said
  const made = { code, message, ...(text && { text }), retryable: worthAgain.has(code), ...extra }
  // Codes `computer.*` mark the panel's own sentences about this computer; services must not use them.
  if ((!text || text.key.startsWith('refused.')) && made.serviceCode?.startsWith('computer.'))
    delete made.serviceCode
  return made
}

export function problem(code: ProblemCode, said: LocalizedText, extra: ProblemFields = {}): PanelProblem {
  return new PanelProblem(problemOf(code, said, extra))
}
