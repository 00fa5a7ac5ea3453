import { noting } from '../../computer/noting.ts'
import { openTables as openCache } from '../cache/open-tables.ts'
import { openTables as openTransfers } from '../transfers/store/open-tables.ts'
import { answerAsWorker } from '../worker-thread.ts'
import type { Wanted } from './databases.ts'

const open = { cache: openCache, transfers: openTransfers }

// node:sqlite is synchronous: in this thread it never holds up the calls of main.
answerAsWorker(async ({ database, file }: Wanted) => noting<object>(await open[database](file), file))
