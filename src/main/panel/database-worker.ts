import { openTables as openCache } from '../views/cache/tables/open-tables.ts'
import { openTables as openTransfers } from '../transfers/store/tables.ts'
import { answerAsWorker } from '../base/worker-thread.ts'
import type { DatabaseLocation } from '../storage/databases.ts'

const open = { cache: openCache, transfers: openTransfers }

// node:sqlite is synchronous, so it runs off main's thread.
answerAsWorker(({ database, file }: DatabaseLocation): object => open[database](file))
