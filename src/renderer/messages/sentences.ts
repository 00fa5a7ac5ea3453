import { sentences as own } from '../../contract/messages/sentences.ts'
import { loaded } from './loaded.ts'

/** What main says, in English. It says so by itself; these are for its numbers, which are written as the person's are. */
export const sentences = loaded(own)
