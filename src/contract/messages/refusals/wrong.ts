import { type RefusalArguments, type RefusalId, tell, type Told } from './index.ts'

/** Field messages by their English words: validation returns only the words. */
const told = new Map<string, Told>()

/** Grows only with the number of distinct messages in schemas. */
export function keepTold(sentence: Told): string {
  told.set(sentence.message, sentence)
  return sentence.message
}

export function wrong<I extends RefusalId>(id: I, ...values: RefusalArguments<I>): { error: () => string } {
  return { error: () => keepTold(tell(id, ...values)) }
}

export const sentenceOf = (message: string): string | Told => told.get(message) ?? message
