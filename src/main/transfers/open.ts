import { join } from 'node:path'
import { type Clock, systemClock } from '../base/retry.ts'
import { openBytes } from './bytes/bytes.ts'
import type { Databases } from '../storage/databases.ts'
import { Limiter } from './queue/limiter.ts'
import { UPLOAD_BUFFER } from './store/rows.ts'
import { openStore } from './store/store.ts'
import { TransferManager, type TransfersPorts } from './transfers.ts'

export interface OpenTransfers extends Pick<
  TransfersPorts,
  'client' | 'log' | 'toProblem' | 'landed' | 'downloads' | 'tell'
> {
  dataDir: string
  databases?: Databases
  clock?: Clock
}

/** Opens the queue, idle until `start`. Throws StartProblem. */
export async function openTransfers(options: OpenTransfers): Promise<{
  transfers: TransferManager
  close: () => Promise<void>
}> {
  const store = await openStore(join(options.dataDir, 'transfers.db'), options.databases)
  const bytes = openBytes((error) =>
    options.log.error('the thread that hashes and packs died and is started again', { error }),
  )
  const transfers = new TransferManager({
    ...options,
    store,
    bytes,
    clock: options.clock ?? systemClock,
    limiter: new Limiter(systemClock),
    spoolFolder: join(options.dataDir, UPLOAD_BUFFER),
  })
  return {
    transfers,
    close: async () => {
      await transfers.close()
      await bytes.close().catch(() => undefined)
      await store.close().catch(() => undefined)
    },
  }
}
