import { fill, type Message, type ParamArguments, type Values } from './message.ts'
import { sentences } from './sentences.ts'

export type Sentences = typeof sentences
export type SentenceKey = keyof Sentences

/** A sentence before its language: plain data that can be kept, and shown in another language later. */
export interface Sentence {
  key: SentenceKey | `refused.${string}`
  values?: Values
}

/**
 * Something said to people. The panel's own words have a sentence, which a window shows in its language, and so has what
 * the built-in service says (`refusals/`). Those of any other service have none and stay as it sent them.
 */
export interface Said {
  /** In English where it is the panel's own or the built-in service's; for the log too. */
  message: string
  text?: Sentence
}

/** Says a sentence of the panel's own. */
export function say<K extends SentenceKey>(key: K, ...[values]: ParamArguments<Sentences[K]>): Said {
  const given = values as Values | undefined
  const message: Message = sentences[key]
  return { message: fill(message, given ?? {}, 'en'), text: { key, ...(given && { values: given }) } }
}
