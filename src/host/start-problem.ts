export type StartProblemCode =
  | 'port-taken'
  | 'address-not-usable'
  | 'tls-needed'
  | 'tls-not-readable'
  | 'folder-not-writable'
  | 'folder-held'
  | 'data-from-the-future'
  | 'data-not-readable'
  | 'data-restorable'
  | 'arguments'

/** The message is one sentence for people: what, why, what now. */
export class StartProblem extends Error {
  override name = 'StartProblem'
  readonly code: StartProblemCode
  /** Values named in the message, for a parent that words it differently. */
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
