import type { Values } from './message.ts'
import type { Said } from './say.ts'

/** An error as a service tells it in an answer. */
export interface ToldError {
  code?: string | null | undefined
  message: string
  sentence?: string | null | undefined
  values?: Values | null | undefined
}

/** What a service told of an error: with its sentence, where it names one. */
export function toldBy({ message, sentence, values }: ToldError): Said {
  return { message, ...(sentence && { text: { key: `refused.${sentence}`, ...(values && { values }) } }) }
}
