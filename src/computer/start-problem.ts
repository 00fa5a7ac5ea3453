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
  | 'arguments'

/** The program cannot start. The message is one sentence for people: what, why, what now. */
export class StartProblem extends Error {
  override name = 'StartProblem'
  readonly code: StartProblemCode

  constructor(code: StartProblemCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
