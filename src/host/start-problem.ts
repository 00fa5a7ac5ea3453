/** Why a program of ours could not start, so that a parent process can branch on it. */
export type StartProblemCode =
  | 'port-taken'
  | 'address-not-usable'
  | 'tls-needed'
  | 'tls-not-readable'
  | 'folder-not-writable'
  | 'folder-held'
  | 'data-from-the-future'
  | 'data-not-readable'
  /** What cannot be read has an own copy that can be put back. */
  | 'data-restorable'
  | 'arguments'

/** The program cannot start. The message is one sentence for people: what, why, what now. */
export class StartProblem extends Error {
  override name = 'StartProblem'
  readonly code: StartProblemCode
  /** What the message names, for a parent that says it in its own words. */
  readonly values: Record<string, string>

  constructor(
    code: StartProblemCode,
    message: string,
    { values = {}, ...options }: ErrorOptions & { values?: Record<string, string> } = {},
  ) {
    super(message, options)
    this.code = code
    this.values = values
  }
}
