import { fileMethods, openOrBeginAnew } from '../../../storage/begin-anew.ts'
import { createTables } from './tables.ts'
import type { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations.ts'

/** Write delay of lines, in ms. After a crash the service still has them. */
const FLUSH_EVERY = 250

export function openTables(file: string) {
  const db = openFile(file)
  const tables = createTables(db)
  const { closeFile, ...methods } = fileMethods(db, file)
  const flushing = setInterval(() => {
    try {
      tables.flushLines()
    } catch {
      // The disk may be full: retry on the next flush. This thread also runs other tables.
    }
  }, FLUSH_EVERY)
  return {
    ...tables,
    ...methods,
    close() {
      clearInterval(flushing)
      try {
        tables.flushLines()
      } finally {
        closeFile()
      }
    },
  }
}

export type Tables = ReturnType<typeof openTables>

/** Starts over if damaged. Throws StartProblem for a newer version. */
export const openFile = (file: string): DatabaseSync =>
  openOrBeginAnew({
    ...{ file, name: 'The cache', migrations, busyMs: 2000 },
    // Signing out must erase the data itself, not only the index.
    pragmas: 'PRAGMA secure_delete = ON',
  })
