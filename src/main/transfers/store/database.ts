import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openOrBeginAnew } from '../../storage/begin-anew.ts'
import { UPLOAD_BUFFER } from './upload-buffer-folder.ts'
import { migrations } from './migrations.ts'

/** Starts over if damaged: an old copy would resend changed files. StartProblem for a newer version. */
export const openFile = (file: string): DatabaseSync =>
  openOrBeginAnew(
    {
      ...{ file, name: 'The list of transfers', migrations, busyMs: 2000 },
      pragmas: 'PRAGMA secure_delete = ON',
    },
    [path.join(path.dirname(file), UPLOAD_BUFFER)],
  )
