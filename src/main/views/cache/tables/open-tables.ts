import { fileMethods } from '../../../storage/begin-anew.ts'
import { openFile } from './database.ts'
import { createTables } from './tables.ts'

/** How long a line may wait before it is on disk, in ms. What a crash loses, the service still holds. */
const FLUSH_EVERY = 250

/** Opens the cache inside its worker thread. Rejects where it cannot be opened. */
export async function openTables(file: string) {
  const opened = await openFile(file)
  const tables = createTables(opened.db)
  const { closeFile, ...methods } = fileMethods(opened, file)
  const flushing = setInterval(() => {
    try {
      tables.flushLines()
    } catch {
      // The disk may be full: they stay open and are written with the next flush. Others live in this thread too.
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

export type Tables = Awaited<ReturnType<typeof openTables>>
