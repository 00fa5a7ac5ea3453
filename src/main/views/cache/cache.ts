import { Databases } from '../../storage/databases.ts'
import type { RemoteMethods } from '../../base/worker-thread.ts'
import type { Tables } from './tables/open-tables.ts'

/** Each method runs in the worker thread. */
export type Cache = RemoteMethods<Tables> & {
  /** Doesn't wait; the order relative to later calls is kept. */
  postLines: (...args: Parameters<Tables['appendLines']>) => void
}

/** Throws StartProblem. */
export async function openCache(file: string, databases = new Databases()): Promise<Cache> {
  const tables = await databases.open<Tables>({ database: 'cache', file })
  return Object.assign(tables, {
    // If the disk is full, the service still has the lines.
    postLines: (...args: Parameters<Tables['appendLines']>) =>
      void tables.appendLines(...args).catch(() => undefined),
  })
}
