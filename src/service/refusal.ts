import {
  type RefusalArguments,
  type RefusalId,
  tell,
  type Told,
} from '../contract/messages/refusals/index.ts'

/** What a refusal carries beside its words. */
export interface RefusalDetails {
  /** Field name → what is wrong with it, for forms. */
  fields?: Record<string, string[]>
  /** Headers of the answer, such as `Retry-After` in seconds. */
  headers?: Record<string, string>
}

/** A refusal as an answer tells it. */
export type ToldRefusal = { code: string; message: string } & Partial<Omit<Told, 'message'>>

/** An error answer on purpose: status, a code `area.reason` to branch on, and a sentence for people. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  /** Which sentence it is, where the contract declares it, with what stands in it. */
  readonly told: Omit<Told, 'message'> | undefined
  readonly fields: Record<string, string[]> | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, said: string | Told, details: RefusalDetails = {}) {
    super(typeof said === 'string' ? said : said.message)
    this.status = status
    this.code = code
    this.told = typeof said === 'string' ? undefined : { sentence: said.sentence, values: said.values }
    this.fields = details.fields
    this.headers = details.headers ?? {}
  }

  /** One that was told elsewhere, as by a worker. */
  static again(status: number, { code, message, sentence, values }: ToldRefusal): Refusal {
    const told = sentence === undefined || values === undefined ? message : { message, sentence, values }
    return new Refusal(status, code, told)
  }

  /** The same, at a field of what was sent. */
  at(field: string): Refusal {
    const { status, code, message, headers } = this
    const fields = { [field]: [message] }
    return new Refusal(status, code, this.told ? { message, ...this.told } : message, { fields, headers })
  }

  /** The same, with headers of its answer. */
  with(headers: Record<string, string>): Refusal {
    const { status, code, message, fields } = this
    const details = { headers, ...(fields && { fields }) }
    return new Refusal(status, code, this.told ? { message, ...this.told } : message, details)
  }

  /** As an answer tells it. */
  get asTold(): ToldRefusal {
    return { code: this.code, message: this.message, ...this.told }
  }
}

/** A refusal by one of the sentences that the contract declares; its code is the beginning of the sentence's id. */
export function refusal<I extends RefusalId>(
  status: number,
  sentence: I,
  ...values: RefusalArguments<I>
): Refusal {
  return new Refusal(status, codeOf(sentence), tell(sentence, ...values))
}

/** A sentence with its code, as an answer tells what became of one thing among several. */
export const toldOf = (told: Told): ToldRefusal => ({ code: codeOf(told.sentence), ...told })

const codeOf = (sentence: RefusalId): string => sentence.split('.').slice(0, 2).join('.')
