import { fileMethods } from '../../storage/begin-anew.ts'
import { openFile } from './database.ts'
import { createTables } from './tables.ts'

export async function openTables(file: string) {
  const opened = await openFile(file)
  const { closeFile, ...methods } = fileMethods(opened, file)
  return { ...createTables(opened.db), ...methods, close: closeFile }
}

export type Tables = Awaited<ReturnType<typeof openTables>>
