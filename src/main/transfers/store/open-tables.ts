import { fileMethods } from '../../databases/begin-anew.ts'
import { openFile } from './database.ts'
import { createTables } from './tables.ts'

/** Opens the queue inside its worker thread. Throws where it cannot be opened. */
export function openTables(file: string) {
  const opened = openFile(file)
  const { closeFile, ...methods } = fileMethods(opened, file)
  return { ...createTables(opened.db), ...methods, close: closeFile }
}

export type Tables = ReturnType<typeof openTables>
