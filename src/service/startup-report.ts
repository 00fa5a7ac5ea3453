import { isoTime } from './base/clock.ts'
import { type Leftover, serverFoldersIn } from './files/server-folders.ts'
import type { Store } from './store/store.ts'

const TOLD = 20

/** For the parent as data, for people as sentences. */
export interface StartupReport {
  /** Readable time of the restored backup; null if none. */
  restored: string | null
  /** Folders in `servers` without a server. */
  orphans: string[]
  emptied: string[]
  /** Undeletable folders of deleted servers, relative to the data folder. */
  leftovers: string[]
  sentences: string[]
}

/**
 * @param made ids of servers that just got an empty folder
 * @param left leftovers that couldn't be deleted
 */
export function startupReport(
  dataDir: string,
  store: Store,
  { made = [], left = [] }: { made?: readonly string[]; left?: readonly Leftover[] } = {},
): StartupReport {
  const known = new Set(store.servers.all().map(({ id }) => id))
  const orphans = serverFoldersIn(dataDir).filter((name) => !known.has(name))
  const restored = store.restored ? `${isoTime(store.restored.at).slice(0, 16).replace('T', ' ')} UTC` : null
  const sentences: string[] = []
  if (store.restored)
    sentences.push(
      `The database was restored from its copy of ${restored}; the file before it was kept in ${store.restored.aside}. Changes made ` +
        'since then are missing, passwords are those of that time, and everybody has to sign in again.',
    )
  if (orphans.length > 0)
    sentences.push(
      `Folders in ${dataDir}/servers belong to no server of this service: ${listed(orphans)}. ` +
        'They were left as they are. To use one, create a server and copy the files into its folder.',
    )
  const emptied = made.map((id) => `${store.servers.byId(id)?.name ?? ''} (${id})`)
  if (emptied.length > 0)
    sentences.push(
      `The folders of these servers in ${dataDir}/servers were missing, and are empty now: ${listed(emptied)}. Their ` +
        'worlds are not in this data folder. If they were moved elsewhere, or their disk was not connected, stop the ' +
        'service, put them back in place of the empty ones, and start it again.',
    )
  const leftovers = left.map(({ folder }) => folder)
  if (leftovers.length > 0)
    sentences.push(
      `Some files of deleted servers could not be deleted. They are in these folders of ${dataDir}: ${listed(leftovers)}. ` +
        'Most likely they belong to another user of this computer. The service tries again every hour and at each start; ' +
        'you can also delete these folders yourself.',
    )
  const [few, empty, gone] = [orphans, emptied, leftovers].map((names) => names.slice(0, TOLD))
  return { restored, orphans: few!, emptied: empty!, leftovers: gone!, sentences }
}

const listed = (names: string[]): string =>
  names.slice(0, TOLD).join(', ') + (names.length > TOLD ? `, and ${names.length - TOLD} more` : '')
