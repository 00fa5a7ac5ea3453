import { refusals as service } from '../../contract/messages/refusals/index.ts'
import { sentences as own } from '../../contract/messages/sentences.ts'
import { loaded } from './base/loaded.ts'

/**
 * What main and the built-in service say, in English. They say so by themselves; these are for their numbers, which are
 * written as the person's are.
 */
export const sentences = loaded({ ...own, ...service })
