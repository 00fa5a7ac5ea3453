import { Databases } from '../../storage/databases.ts'
import type { Remote } from '../../base/worker-thread.ts'
import type { Tables } from './open-tables.ts'

/** The queue on disk; each method is answered by a worker thread. */
export type Store = Remote<Tables>

/** Opens the queue's file. Throws StartProblem where it cannot be opened. */
export const openStore = (file: string, databases = new Databases()): Promise<Store> =>
  databases.open<Tables>({ database: 'transfers', file })
