import { openDatabase } from './database.ts'
import { createTables, type Tables } from './tables.ts'

/** Opens the queue inside its worker thread. Throws where it cannot be opened. */
export const openTables = (file: string): Tables => createTables(openDatabase(file))
