import type { FileEntry } from '../../contract/bridge/values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { joined, MOST_DEPTH } from '../../contract/rules/paths.ts'
import type { ApiClient } from '../api/client.ts'
import { problem } from '../base/problem.ts'
import { pagesOf } from '../transfers/items/expand-folder.ts'
import { PROPERTIES } from './place-settings.ts'

export const ENTRIES_MOST = 200_000

/** Made anew wherever a server runs. Its settings are merged, not copied. */
const LEFT_OUT = new Set(['logs', 'crash-reports', 'cache', PROPERTIES])

export interface ServerTree {
  /** Bytes, by path. */
  files: Map<string, number>
  leftOut: number
}

export async function rootEntries(
  client: ApiClient,
  serverId: string,
  signal: AbortSignal,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  for await (const page of pagesOf(client, { serverId, backup: null }, '', signal)) entries.push(...page)
  return entries
}

/** Names in the server's folder that go with it. */
export const namesMoved = (entries: readonly FileEntry[]): string[] =>
  entries.filter((entry) => isMoved(entry) && !LEFT_OUT.has(entry.name)).map(({ name }) => name)

const isMoved = ({ kind }: FileEntry): boolean => kind === 'file' || kind === 'folder'

/** Lists what is moved. Throws if a folder can't be listed. `found`: after each folder. */
export async function listServer(
  client: ApiClient,
  serverId: string,
  signal: AbortSignal,
  found: (files: number) => void,
): Promise<ServerTree> {
  const tree: ServerTree = { files: new Map(), leftOut: 0 }
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for await (const page of pagesOf(client, { serverId, backup: null }, path, signal))
      for (const entry of page) {
        if (path === '' && LEFT_OUT.has(entry.name)) continue
        const at = joined(path, entry.name)
        if (entry.kind === 'folder' && at.split('/').length <= MOST_DEPTH) waiting.push(at)
        else if (entry.kind === 'file') tree.files.set(at, entry.size ?? 0)
        else tree.leftOut++
        if (tree.files.size + tree.leftOut + waiting.length > ENTRIES_MOST)
          throw problem('too-large', localized('relocation.too-large', { most: ENTRIES_MOST }), {
            retryable: false,
          })
      }
    found(tree.files.size)
  }
  return tree
}
