import type { Values } from './message.ts'
import type { LocalizedText, Sentence } from './localized-text.ts'

export interface ErrorReport {
  code?: string | null | undefined
  message: string
  sentence?: string | null | undefined
  values?: Values | null | undefined
}

type FieldErrorReports = Readonly<Record<string, { sentence: string; values?: Values | undefined }>>

export const textsAtFields = (told: FieldErrorReports): Record<string, Sentence> =>
  Object.fromEntries(
    Object.entries(told).map(([field, { sentence, values }]) => [
      field,
      { key: `refused.${sentence}`, ...(values && { values }) },
    ]),
  )

export function localizedError({ message, sentence, values }: ErrorReport): LocalizedText {
  return { message, ...(sentence && { text: { key: `refused.${sentence}`, ...(values && { values }) } }) }
}
