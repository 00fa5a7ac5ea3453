import { Databases } from '../../storage/databases.ts'
import type { RemoteMethods } from '../../base/worker-thread.ts'
import type { Tables } from './tables.ts'

export type Store = RemoteMethods<Tables>

/** Throws StartProblem. */
export const openStore = (file: string, databases = new Databases()): Promise<Store> =>
  databases.open<Tables>({ database: 'transfers', file })
