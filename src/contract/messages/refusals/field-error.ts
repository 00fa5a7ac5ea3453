import { type RefusalArguments, type RefusalId, refusalText, type RefusalText } from './index.ts'

/** Field messages by their English words: validation returns only the words. */
const told = new Map<string, RefusalText>()

/** Grows only with the number of distinct messages in schemas. */
export function keepFieldError(sentence: RefusalText): string {
  told.set(sentence.message, sentence)
  return sentence.message
}

export function fieldError<I extends RefusalId>(
  id: I,
  ...values: RefusalArguments<I>
): { error: () => string } {
  return { error: () => keepFieldError(refusalText(id, ...values)) }
}

export const sentenceOf = (message: string): string | RefusalText => told.get(message) ?? message
