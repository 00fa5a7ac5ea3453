import { join } from 'node:path'
import type { MissingFile, MissingReason } from '../../contract/bridge/copy-calls.ts'
import type { FileEntry } from '../../contract/bridge/values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { joined, MOST_DEPTH } from '../../contract/rules/paths.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import { isPartial, pagesOf } from '../transfers/items/expand-folder.ts'
import { clashing, isUsable } from '../transfers/items/local-names.ts'

/** As many as a new server can be made of. */
export const ENTRIES_MOST = 200_000
/** Of what is missing; the rest is counted. */
const NAMED_MOST = 100

/** As backups leave them out. */
const LEFT_OUT = new Set(['logs', 'crash-reports', 'cache'])
const LOCK = 'session.lock'

export interface RemoteFile {
  path: string
  size: number
  /** In ms since 1970; null if the service doesn't say. */
  modifiedAt: number | null
}

/** What a copy lacks. */
export class Missing {
  readonly named: MissingFile[] = []
  count = 0
  isWhole = true

  add(path: string, reason: MissingReason): void {
    this.count++
    if (reason === 'changed' || reason === 'unread') this.isWhole = false
    if (this.named.length < NAMED_MOST) this.named.push({ path, reason })
  }
}

export interface RemoteServer {
  client: ApiClient
  serverId: string
  signal: AbortSignal
}

export interface RemoteTree {
  /** Each after the folder it is in; without the server's own. */
  folders: string[]
  files: RemoteFile[]
}

/**
 * Lists a server. Every name was checked: joined to a folder here, a path stays within it. Throws if the server's own
 * folder can't be listed, or the service fails midway.
 * @param trial a folder of this disk for trying names
 */
export async function listTree(server: RemoteServer, missing: Missing, trial: string): Promise<RemoteTree> {
  const tree: RemoteTree = { folders: [], files: [] }
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path !== '') tree.folders.push(path)
    for (const entry of await usableEntries(server, path, missing, trial)) {
      const at = joined(path, entry.name)
      if (entry.kind === 'folder') {
        if (at.split('/').length > MOST_DEPTH) missing.add(at, 'deep')
        else waiting.push(at)
      } else tree.files.push(fileOf(at, entry))
      if (tree.files.length + tree.folders.length + waiting.length > ENTRIES_MOST)
        throw problem('too-large', localized('copies.too-large', { most: ENTRIES_MOST }), {
          retryable: false,
        })
    }
  }
  return tree
}

async function usableEntries(
  server: RemoteServer,
  path: string,
  missing: Missing,
  trial: string,
): Promise<FileEntry[]> {
  const usable: FileEntry[] = []
  const seen = new Set<string>()
  for (const entry of await entriesOf(server, path, missing)) {
    const at = joined(path, entry.name)
    if (seen.has(entry.name)) continue
    seen.add(entry.name)
    if (entry.name === LOCK || (path === '' && LEFT_OUT.has(entry.name))) continue
    if (entry.kind !== 'file' && entry.kind !== 'folder')
      missing.add(at, entry.kind === 'link' ? 'link' : 'special')
    else if (!isUsable(entry.name) || !entry.name.isWellFormed()) missing.add(at, 'name')
    else usable.push(entry)
  }
  const twice = await clashing(
    usable.map(({ name }) => name),
    join(trial, 'names'),
  )
  if (twice.size === 0) return usable
  return usable.filter(({ name }) => {
    if (twice.has(name)) missing.add(joined(path, name), 'twice')
    return !twice.has(name)
  })
}

/** A folder that is gone or may not be read is missing; the server's own throws. */
async function entriesOf(
  { client, serverId, signal }: RemoteServer,
  path: string,
  missing: Missing,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  try {
    for await (const page of pagesOf(client, { serverId, backup: null }, path, signal)) {
      entries.push(...page)
      if (entries.length > ENTRIES_MOST) break
    }
  } catch (error) {
    const code = error instanceof PanelProblem ? error.problem.code : null
    if (isPartial(error)) missing.add(path === '' ? '/' : path, 'unread')
    else if (path !== '' && code === 'forbidden') missing.add(path, 'unread')
    else if (path === '' || code !== 'not-found') throw error
  }
  return entries
}

/** The files as they are listed now, by their paths; folders that can't be listed any more have none. */
export async function listAgain(
  server: RemoteServer,
  folders: ReadonlySet<string>,
): Promise<Map<string, RemoteFile>> {
  const files = new Map<string, RemoteFile>()
  for (const folder of folders)
    for (const entry of await entriesOf(server, folder, new Missing()))
      if (entry.kind === 'file') {
        const at = joined(folder, entry.name)
        files.set(at, fileOf(at, entry))
      }
  return files
}

function fileOf(path: string, { size, modifiedAt }: FileEntry): RemoteFile {
  const at = modifiedAt ? Date.parse(modifiedAt) : Number.NaN
  const bytes = typeof size === 'number' && size > 0 ? Math.floor(size) : 0
  return { path, size: bytes, modifiedAt: Number.isNaN(at) ? null : at }
}
