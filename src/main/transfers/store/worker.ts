import { workerData } from 'node:worker_threads'
import { answerAsWorker } from '../worker-link.ts'
import { openDatabase } from './database.ts'
import { createTables } from './tables.ts'

// node:sqlite is synchronous: in this thread it never holds up the calls of main.
answerAsWorker(() => createTables(openDatabase((workerData as { file: string }).file)))
