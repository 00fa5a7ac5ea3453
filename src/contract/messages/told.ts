import type { Values } from './message.ts'
import type { Said, Sentence } from './say.ts'

/** An error as a service tells it in an answer. */
export interface ToldError {
  code?: string | null | undefined
  message: string
  sentence?: string | null | undefined
  values?: Values | null | undefined
}

/** Which sentence a service said of which field. */
export type ToldAtFields = Readonly<Record<string, { sentence: string; values?: Values | undefined }>>

/** The sentences that are said at fields. */
export const textsAtFields = (told: ToldAtFields): Record<string, Sentence> =>
  Object.fromEntries(
    Object.entries(told).map(([field, { sentence, values }]) => [
      field,
      { key: `refused.${sentence}`, ...(values && { values }) },
    ]),
  )

/** What a service told of an error: with its sentence, where it names one. */
export function toldBy({ message, sentence, values }: ToldError): Said {
  return { message, ...(sentence && { text: { key: `refused.${sentence}`, ...(values && { values }) } }) }
}
