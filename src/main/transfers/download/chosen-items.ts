import { basename, dirname, join } from 'node:path'
import { localized } from '../../../contract/messages/localized-text.ts'
import { nameOf } from '../../../contract/rules/paths.ts'
import type { ApiClient } from '../../api/client.ts'
import { problem } from '../../base/problem.ts'
import { remoteEntry } from '../items/compare-remote.ts'
import type { RemoteFiles } from '../items/remote-files.ts'
import type { NewItem } from '../store/rows.ts'
import { newItem } from '../items/expand-folder.ts'
import { isUsable } from '../items/local-names.ts'

export type DownloadTarget = { folder: string } | { file: string; replaces: boolean }

export const folderOf = (place: DownloadTarget): string =>
  'folder' in place ? place.folder : dirname(place.file)

export async function downloadItems(
  client: ApiClient,
  of: RemoteFiles,
  paths: readonly string[],
  place: DownloadTarget,
): Promise<NewItem[]> {
  if ('folder' in place) return chosenItems(client, of, paths, (name) => join(place.folder, name))
  if (!isUsable(basename(place.file)))
    throw problem('invalid', localized('name.nowhere', { name: basename(place.file) }))
  const one = await Promise.all(paths.slice(0, 1).map((path) => itemOf(client, of, path, () => place.file)))
  return one.map((item) => ({ ...item, choice: place.replaces ? 'replace' : null }))
}

/** Throws `not-found` if a path is gone. */
export async function chosenItems(
  client: ApiClient,
  of: RemoteFiles,
  paths: readonly string[],
  target: (name: string) => string,
): Promise<NewItem[]> {
  return Promise.all(
    paths.map((path) =>
      itemOf(client, of, path, (name) => {
        if (!isUsable(name)) throw problem('invalid', localized('name.nowhere', { name }))
        return target(name)
      }),
    ),
  )
}

async function itemOf(
  client: ApiClient,
  of: RemoteFiles,
  path: string,
  target: (name: string) => string,
): Promise<NewItem> {
  const entry = await remoteEntry(client, of, path)
  if (!entry) throw problem('not-found', localized('send.source-gone', { name: nameOf(path) }))
  const parent = path.slice(0, Math.max(path.length - entry.name.length - 1, 0))
  return newItem({ path: '', source: parent }, entry, target(entry.name))
}
