import { Databases } from '../../storage/databases.ts'
import type { Remote } from '../../base/worker-thread.ts'
import type { Tables } from './open-tables.ts'

export type Store = Remote<Tables>

/** Throws StartProblem. */
export const openStore = (file: string, databases = new Databases()): Promise<Store> =>
  databases.open<Tables>({ database: 'transfers', file })
