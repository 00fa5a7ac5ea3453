import type { DatabaseSync } from 'node:sqlite'
import { openOrBeginAnew } from '../../../storage/begin-anew.ts'
import { migrations } from './migrations.ts'

/** Starts over if damaged. Throws StartProblem for a newer version. */
export const openFile = (file: string): DatabaseSync =>
  openOrBeginAnew({
    ...{ file, name: 'The cache', migrations, busyMs: 2000 },
    // Signing out must erase the data itself, not only the index.
    pragmas: 'PRAGMA secure_delete = ON',
  })
