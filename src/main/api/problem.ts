import type { Problem, ProblemCode } from '../../contract/bridge/problem.ts'

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

/** Makes a problem as plain data. `retryable` follows from the code unless given. */
export function problemOf(
  code: ProblemCode,
  message: string,
  extra: Partial<Omit<Problem, 'code' | 'message'>> = {},
): Problem {
  return { code, message, retryable: worthAgain.has(code), ...extra }
}

/** Makes a problem that can be thrown. */
export function problem(
  code: ProblemCode,
  message: string,
  extra: Partial<Omit<Problem, 'code' | 'message'>> = {},
): PanelProblem {
  return new PanelProblem(problemOf(code, message, extra))
}
