import { copyRows, type Opened, openOrBeginAnew } from '../../../storage/begin-anew.ts'
import { migrations } from './migrations.ts'

/** What no service has: it is taken over from a damaged file as far as it can be read. Lines and views come again. */
const ONLY_HERE = [
  'connections',
  'settings',
  'favourites',
  'former_contents',
  'drafts',
  'rail_folders',
  'rail_servers',
]

/** Opens the cache, and begins it anew where it cannot be used. Rejects with StartProblem where a newer panel wrote it. */
export const openFile = (file: string): Promise<Opened> =>
  openOrBeginAnew(
    {
      file,
      name: 'The cache',
      older: 'accounts, settings, favorites and unsaved texts of later will be missing',
      migrations,
      busyMs: 2000,
      // What signing out wipes has to be gone from the file, not only from its index.
      pragmas: 'PRAGMA secure_delete = ON',
    },
    (db, from) => copyRows(db, from, ONLY_HERE),
  )
