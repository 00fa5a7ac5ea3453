import type { Feature } from '../feature.ts'
import { keepDraftsOf } from './kept-drafts.ts'

export const editor: Feature = {
  keepOf: (connectionIds) => {
    for (const storage of [localStorage, sessionStorage]) keepDraftsOf(storage, connectionIds)
  },
}
