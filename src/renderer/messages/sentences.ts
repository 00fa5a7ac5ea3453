import { refusals as service } from '../../contract/messages/refusals/index.ts'
import { sentences as own } from '../../contract/messages/sentences.ts'
import { loaded } from './base/loaded.ts'

/**
 * English texts of main and the built-in service. They arrive in words already; these localize the numbers in
 * them.
 */
export const sentences = loaded({ ...own, ...service })
