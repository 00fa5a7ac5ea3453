import type { Values } from './message.ts'
import type { Said, Sentence } from './say.ts'

export interface ToldError {
  code?: string | null | undefined
  message: string
  sentence?: string | null | undefined
  values?: Values | null | undefined
}

export type ToldAtFields = Readonly<Record<string, { sentence: string; values?: Values | undefined }>>

export const textsAtFields = (told: ToldAtFields): Record<string, Sentence> =>
  Object.fromEntries(
    Object.entries(told).map(([field, { sentence, values }]) => [
      field,
      { key: `refused.${sentence}`, ...(values && { values }) },
    ]),
  )

export function toldBy({ message, sentence, values }: ToldError): Said {
  return { message, ...(sentence && { text: { key: `refused.${sentence}`, ...(values && { values }) } }) }
}
