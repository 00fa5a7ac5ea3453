import type { ErrorBody } from '../contract/declarations/errors.ts'
import {
  type RefusalArguments,
  type RefusalId,
  refusalText,
  type RefusalText,
} from '../contract/messages/refusals/index.ts'

export type FieldFaults = Record<string, readonly (string | RefusalText)[]>

interface RefusalDetails {
  fields?: FieldFaults
  /** Response headers, such as `Retry-After` in seconds. */
  headers?: Record<string, string>
}

export type RefusalReport = { code: string; message: string } & Partial<Omit<RefusalText, 'message'>>

/** An intended error response: status, code `area.reason` for programs, sentence for people. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  /** Sentence id and values, if the contract declares it. */
  readonly told: Omit<RefusalText, 'message'> | undefined
  readonly #fields: FieldFaults | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, said: string | RefusalText, details: RefusalDetails = {}) {
    super(typeof said === 'string' ? said : said.message)
    this.status = status
    this.code = code
    this.told = typeof said === 'string' ? undefined : { sentence: said.sentence, values: said.values }
    this.#fields = details.fields
    this.headers = details.headers ?? {}
  }

  get #said(): string | RefusalText {
    return this.told ? { message: this.message, ...this.told } : this.message
  }

  static again(status: number, { code, message, sentence, values }: RefusalReport): Refusal {
    const told = sentence === undefined || values === undefined ? message : { message, sentence, values }
    return new Refusal(status, code, told)
  }

  at(field: string): Refusal {
    return this.atAll({ [field]: [this.#said] })
  }

  atAll(fields: FieldFaults): Refusal {
    const { status, code, headers } = this
    return new Refusal(status, code, this.#said, { fields, headers })
  }

  with(headers: Record<string, string>): Refusal {
    const { status, code } = this
    const details = { headers, ...(this.#fields && { fields: this.#fields }) }
    return new Refusal(status, code, this.#said, details)
  }

  get atFields(): Pick<ErrorBody['error'], 'fields' | 'fieldSentences'> {
    if (!this.#fields) return {}
    const all = Object.entries(this.#fields)
    const fields = Object.fromEntries(all.map(([field, faults]) => [field, faults.map(wordsOf)]))
    const told = all.flatMap(([field, [first]]) =>
      first === undefined || typeof first === 'string' || first.message === this.message
        ? []
        : [[field, { sentence: first.sentence, values: first.values }] as const],
    )
    return { fields, ...(told.length > 0 && { fieldSentences: Object.fromEntries(told) }) }
  }

  get asTold(): RefusalReport {
    return { code: this.code, message: this.message, ...this.told }
  }
}

/** Its code is the start of the sentence id. */
export function refusal<I extends RefusalId>(
  status: number,
  sentence: I,
  ...values: RefusalArguments<I>
): Refusal {
  return new Refusal(status, codeOf(sentence), refusalText(sentence, ...values))
}

export const toldOf = (told: RefusalText): RefusalReport => ({ code: codeOf(told.sentence), ...told })

const wordsOf = (fault: string | RefusalText): string => (typeof fault === 'string' ? fault : fault.message)

const codeOf = (sentence: RefusalId): string => sentence.split('.').slice(0, 2).join('.')
