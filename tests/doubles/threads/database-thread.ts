// Tests only: the thread of the databases, which dies when it is told to, of an error that nobody catches.
import { openTables as openCache } from '../../../src/main/views/cache/tables/open-tables.ts'
import { openTables as openTransfers } from '../../../src/main/transfers/store/tables.ts'
import { answerAsWorker } from '../../../src/main/base/worker-thread.ts'
import type { DatabaseLocation } from '../../../src/main/storage/databases.ts'

const open = { cache: openCache, transfers: openTransfers }

/** Never answers: the thread is gone before it could. */
const die = () =>
  new Promise<void>(() =>
    setImmediate(() => {
      throw new Error('nobody catches this')
    }),
  )

answerAsWorker(({ database, file }: DatabaseLocation) => ({ ...open[database](file), die }))
