import path from 'node:path'
import { type Opened, openOrBeginAnew } from '../../storage/begin-anew.ts'
import { UPLOAD_BUFFER } from './upload-buffer-folder.ts'
import { migrations } from './migrations.ts'

/** Starts over if damaged: an old copy would resend changed files. StartProblem for a newer version. */
export const openFile = (file: string): Promise<Opened> =>
  openOrBeginAnew(
    {
      ...{ file, name: 'The list of transfers', migrations, busyMs: 2000 },
      pragmas: 'PRAGMA secure_delete = ON',
      older: 'transfers that have ended since then may run once more. Without it the list begins empty',
    },
    undefined,
    [path.join(path.dirname(file), UPLOAD_BUFFER)],
  )
