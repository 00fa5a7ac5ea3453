import type { Feature } from '../feature.ts'
import { Drafts } from './drafts.ts'

export const editor: Feature = {
  keepOf: (connectionIds) => {
    for (const storage of [localStorage, sessionStorage]) new Drafts(storage).keepOf(connectionIds)
  },
}
