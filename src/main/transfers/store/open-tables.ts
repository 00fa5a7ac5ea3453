import { fileMethods } from '../../storage/begin-anew.ts'
import { openFile } from './database.ts'
import { createTables } from './tables.ts'

export function openTables(file: string) {
  const db = openFile(file)
  const { closeFile, ...methods } = fileMethods(db, file)
  return { ...createTables(db), ...methods, close: closeFile }
}

export type Tables = ReturnType<typeof openTables>
