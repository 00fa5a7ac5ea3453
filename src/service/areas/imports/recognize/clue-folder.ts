import type { ClueFolder } from '../../../../extensions/software/clues.ts'
import { Refusal } from '../../../../host/refusal.ts'
import type { ServerFiles } from '../../../files/server-files.ts'
import { namesIn } from './find-server.ts'
import { headOf } from './level.ts'

const NONE = { names: new Set<string>(), folders: [] }

export const clueFolder = (files: ServerFiles): ClueFolder => ({
  textOf: (path) => headOf(files, path),
  async namesIn(path) {
    try {
      return await namesIn(files, path)
    } catch (error) {
      if (error instanceof Refusal) return NONE
      throw error
    }
  },
})
