/** What a refusal carries beside its words. */
export interface RefusalDetails {
  /** Field name → what is wrong with it, for forms. */
  fields?: Record<string, string[]>
  /** Headers of the answer, such as `Retry-After` in seconds. */
  headers?: Record<string, string>
}

/** An error answer on purpose: status, a code `area.reason` to branch on, and a sentence for people. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string[]> | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, details: RefusalDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.fields = details.fields
    this.headers = details.headers ?? {}
  }
}
