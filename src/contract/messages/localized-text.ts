import { fill, type Message, type ParamArguments, type Values } from './message.ts'
import { sentences } from './sentences.ts'

export type Sentences = typeof sentences
export type SentenceKey = keyof Sentences

export interface Sentence {
  key: SentenceKey | `refused.${string}`
  values?: Values
}

/** `text` translates messages of the panel and the built-in service; other services' are shown as sent. */
export interface LocalizedText {
  /** English if it has a `text`; also for the log. */
  message: string
  text?: Sentence
}

export function localized<K extends SentenceKey>(
  key: K,
  ...[values]: ParamArguments<Sentences[K]>
): LocalizedText {
  const given = values as Values | undefined
  const message: Message = sentences[key]
  return { message: fill(message, given ?? {}, 'en'), text: { key, ...(given && { values: given }) } }
}
