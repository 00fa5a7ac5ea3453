import { join } from 'node:path'
import { systemClock } from '../api/retry.ts'
import { openBytes } from './bytes/bytes.ts'
import { Limiter } from './limiter.ts'
import { openStore } from './store/store.ts'
import { TransferRoom, type TransfersPorts } from './transfers.ts'

export interface OpenTransfers extends Pick<
  TransfersPorts,
  'client' | 'log' | 'toProblem' | 'landed' | 'downloadsFolder' | 'tell'
> {
  dataDir: string
}

/** Opens the queue of a data folder; nothing moves before `start`. Throws StartProblem where it cannot be opened. */
export async function openTransfers(
  options: OpenTransfers,
): Promise<{ transfers: TransferRoom; close: () => Promise<void> }> {
  const { store, close: closeStore } = await openStore(join(options.dataDir, 'transfers.db'))
  const { bytes, close: closeBytes } = await openBytes()
  const transfers = new TransferRoom({
    ...options,
    store,
    bytes,
    clock: systemClock,
    limiter: new Limiter(systemClock),
    spoolFolder: join(options.dataDir, 'spool'),
  })
  return {
    transfers,
    close: async () => {
      await transfers.close()
      await closeBytes()
      await closeStore()
    },
  }
}
