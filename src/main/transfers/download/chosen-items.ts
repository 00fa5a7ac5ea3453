import { basename, dirname, join } from 'node:path'
import { api } from '../../../contract/areas/index.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { FileEntry } from '../../../contract/bridge/values.ts'
import { nameOf, parentOf } from '../../../contract/rules/paths.ts'
import type { ApiClient } from '../../api/client.ts'
import { problem } from '../../base/problem.ts'
import type { RemoteFiles } from '../items/remote-files.ts'
import type { NewItem } from '../store/rows.ts'
import { isPartial, newItem, pagesOf } from '../items/expand-folder.ts'
import { isUsable, safeName } from '../items/local-names.ts'

export type DownloadTarget = { folder: string } | { file: string; replaces: boolean }

export const folderOf = (place: DownloadTarget): string =>
  'folder' in place ? place.folder : dirname(place.file)

export async function downloadItems(
  client: ApiClient,
  of: RemoteFiles,
  paths: readonly string[],
  place: DownloadTarget,
): Promise<NewItem[]> {
  if ('folder' in place && of.backup !== null && paths[0] === '')
    return [await wholeBackup(client, of.serverId, of.backup, place.folder)]
  if ('folder' in place) return chosenItems(client, of, paths, (name) => join(place.folder, name))
  if (!isUsable(basename(place.file)))
    throw problem('invalid', localized('name.nowhere', { name: basename(place.file) }))
  const one = await Promise.all(
    paths.slice(0, 1).map((path) => itemOf(entryFinder(client, of), path, () => place.file)),
  )
  return one.map((item) => ({ ...item, choice: place.replaces ? 'replace' : null }))
}

/** Throws `not-found` if a path is gone. */
export async function chosenItems(
  client: ApiClient,
  of: RemoteFiles,
  paths: readonly string[],
  target: (name: string) => string,
): Promise<NewItem[]> {
  const entryAt = entryFinder(client, of)
  return Promise.all(
    paths.map((path) =>
      itemOf(entryAt, path, (name) => {
        if (!isUsable(name)) throw problem('invalid', localized('name.nowhere', { name }))
        return target(name)
      }),
    ),
  )
}

async function itemOf(
  entryAt: EntryFinder,
  path: string,
  target: (name: string) => string,
): Promise<NewItem> {
  const entry = await entryAt(path)
  if (!entry) throw problem('not-found', localized('send.source-gone', { name: nameOf(path) }))
  const parent = path.slice(0, Math.max(path.length - entry.name.length - 1, 0))
  return newItem({ path: '', source: parent }, entry, target(entry.name))
}

type EntryFinder = (path: string) => Promise<FileEntry | null>

/** Lists each folder once. Throws if one isn't found and the list may be incomplete. */
function entryFinder(client: ApiClient, of: RemoteFiles): EntryFinder {
  const folders = new Map<string, ReturnType<typeof listed>>()
  return async (path) => {
    const folder = parentOf(path)
    const listing = folders.get(folder) ?? listed(client, of, folder)
    folders.set(folder, listing)
    const { entries, partial } = await listing
    const entry = entries.get(nameOf(path)) ?? null
    if (entry === null && partial !== null) throw partial
    return entry
  }
}

async function listed(client: ApiClient, of: RemoteFiles, folder: string) {
  const entries = new Map<string, FileEntry>()
  try {
    for await (const page of pagesOf(client, of, folder)) for (const one of page) entries.set(one.name, one)
  } catch (error) {
    if (isPartial(error)) return { entries, partial: error }
    throw error
  }
  return { entries, partial: null }
}

/** A backup as its host packed it: in one file. Hosts list all backups at once. */
async function wholeBackup(
  client: ApiClient,
  serverId: string,
  id: string,
  folder: string,
): Promise<NewItem> {
  const { items } = (await client.send(api.backups.list, { params: { serverId } })).value
  const backup = items.find((one) => one.id === id)
  if (backup?.state !== 'done') throw problem('not-found', localized('send.backup-gone'))
  const made = Date.parse(backup.createdAt ?? '')
  const path = `${safeName((backup.name ?? '').trim() || 'backup')}.tar.gz`
  return {
    ...{ path, source: '', target: join(folder, path), kind: 'file', state: 'waiting' },
    ...{ size: backup.bytes ?? 0, modifiedAt: Number.isNaN(made) ? null : made },
  }
}
