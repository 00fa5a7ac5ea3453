import { refusals as service } from '../../contract/messages/refusals/index.ts'
import { sentences as own } from '../../contract/messages/sentences.ts'
import { loaded } from './base/loaded.ts'

/** Main's and the service's sentences. They arrive as English words; these localize the numbers in them. */
export const sentences = loaded({ ...own, ...service })
