import { join } from 'node:path'
import { type Clock, systemClock } from '../base/retry.ts'
import { WorkerThread } from '../base/worker-thread.ts'
import { Databases } from '../storage/databases.ts'
import type { Bytes, Methods } from './bytes/methods.ts'
import { Limiter } from './queue/limiter.ts'
import { UPLOAD_BUFFER } from './store/rows.ts'
import type { Store, Tables } from './store/tables.ts'
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
  /** Calls back whenever they change. Returns how to stop. */
  onTransfers: (heard: TransfersPorts['tell']) => () => void
  close: () => Promise<void>
}> {
  const store = await openStore(join(options.dataDir, 'transfers.db'), options.databases)
  const bytes = openBytes((error) =>
    options.log.error('the thread that hashes and packs died and is started again', { error }),
  )
  const hearing = new Set<TransfersPorts['tell']>()
  const transfers = new TransferManager({
    ...options,
    tell(now) {
      options.tell(now)
      for (const heard of hearing) heard(now)
    },
    store,
    bytes,
    clock: options.clock ?? systemClock,
    limiter: new Limiter(systemClock),
    spoolFolder: join(options.dataDir, UPLOAD_BUFFER),
  })
  return {
    transfers,
    onTransfers(heard) {
      hearing.add(heard)
      return () => void hearing.delete(heard)
    },
    close: async () => {
      await transfers.close()
      await bytes.close().catch(() => undefined)
      await store.close().catch(() => undefined)
    },
  }
}

/** Throws StartProblem. */
export const openStore = (file: string, databases = new Databases()): Promise<Store> =>
  databases.open<Tables>({ database: 'transfers', file })

/** Starts the thread on the first call, and again after it died (`onDeath`). Closing aborts its work. */
export const openBytes = (onDeath: (error: Error) => void = () => undefined): Bytes =>
  new WorkerThread(
    'transfer-bytes',
    new URL('./bytes/worker.ts', import.meta.url),
    onDeath,
  ).openLate<Methods>(null)
