import { copyRows, type Opened, openOrBeginAnew } from '../../../storage/begin-anew.ts'
import { migrations } from './migrations.ts'

/** Not available from any service, so salvaged from a damaged file. */
const ONLY_HERE = [
  'connections',
  'settings',
  'favourites',
  'former_contents',
  'drafts',
  'rail_folders',
  'rail_servers',
]

/** Starts over if damaged. Rejects with StartProblem for a newer version. */
export const openFile = (file: string): Promise<Opened> =>
  openOrBeginAnew(
    {
      file,
      name: 'The cache',
      older: 'accounts, settings, favorites and unsaved texts of later will be missing',
      migrations,
      busyMs: 2000,
      // Signing out must erase the data itself, not only the index.
      pragmas: 'PRAGMA secure_delete = ON',
    },
    (db, from) => copyRows(db, from, ONLY_HERE),
  )
