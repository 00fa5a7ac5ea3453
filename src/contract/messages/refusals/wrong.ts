import { type RefusalArguments, type RefusalId, tell, type Told } from './index.ts'

/** The sentences that were said of fields, by their English words: a checked value comes back with these alone. */
const told = new Map<string, Told>()

/** Keeps which sentence its words are. As many are kept as the schemas have different ones. */
export function keepTold(sentence: Told): string {
  told.set(sentence.message, sentence)
  return sentence.message
}

/** At a schema: what is wrong with a value that does not pass, as a sentence of `refusals/input.ts`. */
export function wrong<I extends RefusalId>(id: I, ...values: RefusalArguments<I>): { error: () => string } {
  return { error: () => keepTold(tell(id, ...values)) }
}

/** The sentence that was said in these words; else the words alone. */
export const sentenceOf = (message: string): string | Told => told.get(message) ?? message
