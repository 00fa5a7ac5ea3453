import { Databases } from '../../storage/databases.ts'
import type { Remote } from '../../base/worker-thread.ts'
import type { Tables } from './tables/open-tables.ts'

/** The cache as main uses it: the tables, each method answered by the worker thread. */
export type Cache = Remote<Tables> & {
  /** Adds console lines without waiting; order with later calls is kept. */
  postLines: (...args: Parameters<Tables['appendLines']>) => void
}

/** Opens the cache file. Throws StartProblem where it cannot be opened. */
export async function openCache(file: string, databases = new Databases()): Promise<Cache> {
  const tables = await databases.open<Tables>({ database: 'cache', file })
  return Object.assign(tables, {
    // Lines that do not fit on the disk are still held by the service.
    postLines: (...args: Parameters<Tables['appendLines']>) =>
      void tables.appendLines(...args).catch(() => undefined),
  })
}
