import { isoTime } from './clock.ts'
import { serverFoldersIn } from './server-folders.ts'
import type { Store } from './store/store.ts'

/** Names that are told; the rest is counted. */
const TOLD = 20

/** What the service found in its data folder and people should know, as data for a parent and as sentences. */
export interface Found {
  /** When the copy was made that was put back, as people read it; null where none was. */
  restored: string | null
  /** Folders in `servers` that belong to no server, by name. */
  orphans: string[]
  sentences: string[]
}

/** Looks at the data folder beside what the database says. Nothing is changed. */
export function whatWasFound(dataDir: string, store: Store): Found {
  const known = new Set(store.servers.all().map(({ id }) => id))
  const orphans = serverFoldersIn(dataDir).filter((name) => !known.has(name))
  const restored = store.restored ? `${isoTime(store.restored.at).slice(0, 16).replace('T', ' ')} UTC` : null
  const sentences: string[] = []
  if (store.restored)
    sentences.push(
      `The database was restored from its copy of ${restored}; the file before it was kept in ${store.restored.aside}. Changes made ` +
        'since then are missing, passwords are those of that time, and everybody has to sign in again.',
    )
  if (orphans.length > 0) {
    const more = orphans.length > TOLD ? `, and ${orphans.length - TOLD} more` : ''
    sentences.push(
      `Folders in ${dataDir}/servers belong to no server of this service: ${orphans.slice(0, TOLD).join(', ')}${more}. ` +
        'They were left as they are. To use one, create a server and copy the files into its folder.',
    )
  }
  return { restored, orphans: orphans.slice(0, TOLD), sentences }
}
