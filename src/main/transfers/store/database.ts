import path from 'node:path'
import { type Opened, openOrBeginAnew } from '../../storage/begin-anew.ts'
import { UPLOAD_BUFFER } from './upload-buffer-folder.ts'
import { migrations } from './migrations.ts'

/**
 * Opens the queue, and begins it anew where it cannot be used: an older copy of it would send again what has been changed
 * since. What waits to be sent is set aside with it. Rejects with StartProblem where a newer panel wrote it.
 */
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
