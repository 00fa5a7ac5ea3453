import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { api } from '../../../contract/areas/index.ts'
import type { FileEntry } from '../../../contract/bridge/values.ts'
import { say } from '../../../contract/messages/say.ts'
import type { ApiClient } from '../../api/client.ts'
import { problem } from '../../api/problem.ts'
import { fsProblem } from '../fs-problem.ts'
import { joined, nameOf } from '../../../contract/pure/paths.ts'
import { type Ended, type TransferContext } from '../send/context.ts'
import { clashing, isUsable, leadsElsewhere, NO_TARGET } from './local-names.ts'
import { makeFolder } from './claim-name.ts'
import type { ItemRow, NewItem } from '../store/rows.ts'

/** More entries than any folder holds: a service that tells of more does not come to an end. */
const ENTRIES_MOST = 2_000_000

/** A folder of a server on its way to this computer: it is made, and what it holds becomes items of its own. */
export async function downloadFolder(context: TransferContext, item: ItemRow): Promise<Ended> {
  const entries = await entriesOf(context.client, context.transfer.serverId, item.source, context.signal)
  try {
    const top = !item.path.includes('/')
    if (top && item.resume === null)
      await makeFolder(dirname(item.target), basename(item.target), (path) =>
        context.keep(item, { resume: path }),
      )
    const target = item.resume ?? item.target
    await mkdir(target, { recursive: true })
    const known = entries.filter(isKnown)
    const names = known.map(({ name }) => name).filter(isUsable)
    const twice = await clashing(names, join(target, `.names.${item.id}.part`))
    const items = known.map((entry): NewItem => {
      const fits = isUsable(entry.name) && !twice.has(entry.name)
      return fits ? newItem(item, entry, join(target, entry.name)) : withoutTarget(item, entry)
    })
    return await expanded(context, item, items, entries)
  } catch (error) {
    throw fsProblem(error, nameOf(item.path))
  }
}

/** A folder on its way to another server. */
export async function copyFolder(context: TransferContext, item: ItemRow): Promise<Ended> {
  const from = context.from ?? context.client
  const entries = await entriesOf(from, context.transfer.fromServerId ?? '', item.source, context.signal)
  await context.client.send(
    api.files.folder,
    { params: { serverId: context.transfer.serverId }, body: { path: item.target, conflict: 'skip' } },
    { signal: context.signal },
  )
  // What else a name may be is for the service it goes to to say.
  const items = entries
    .filter(isKnown)
    .map((entry): NewItem =>
      leadsElsewhere(entry.name)
        ? withoutTarget(item, entry)
        : newItem(item, entry, joined(item.target, entry.name)),
    )
  return expanded(context, item, items, entries)
}

async function expanded(
  context: TransferContext,
  item: ItemRow,
  items: NewItem[],
  all: FileEntry[],
): Promise<Ended> {
  // Links and devices stay where they are: they mean nothing elsewhere.
  const left = all
    .filter((entry) => !isKnown(entry))
    .map((entry): NewItem => ({ ...newItem(item, entry, NO_TARGET), size: 0, state: 'skipped' }))
  await context.store.expand(item, [...items, ...left], { state: 'done' })
  return { kind: 'done', finalPath: null }
}

const isKnown = (entry: FileEntry) => entry.kind === 'file' || entry.kind === 'folder'

/** What is never asked for, so all that is to be known of it is its name. */
const withoutTarget = (parent: ItemRow, entry: FileEntry): NewItem => ({
  ...newItem(parent, entry, NO_TARGET),
  source: entry.name,
})

/** An entry of a server's folder as an item. */
export function newItem(parent: Pick<ItemRow, 'path' | 'source'>, entry: FileEntry, target: string): NewItem {
  const modified = entry.modifiedAt ? Date.parse(entry.modifiedAt) : null
  return {
    path: joined(parent.path, entry.name),
    source: joined(parent.source, entry.name),
    target,
    kind: entry.kind === 'folder' ? 'folder' : 'file',
    size: entry.kind === 'file' ? (entry.size ?? 0) : 0,
    modifiedAt: modified,
    state: 'waiting',
  }
}

/** All entries of a server's folder. */
async function entriesOf(
  client: ApiClient,
  serverId: string,
  path: string,
  signal?: AbortSignal,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  for await (const page of pagesOf(client, serverId, path, signal)) for (const one of page) entries.push(one)
  return entries
}

/** The entries of a server's folder, page by page. Throws `incompatible` where they do not come to an end. */
export async function* pagesOf(
  client: ApiClient,
  serverId: string,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<FileEntry[]> {
  let cursor: string | undefined
  let entries = 0
  do {
    const { value } = await client.send(
      api.files.list,
      { params: { serverId }, query: { path, ...(cursor === undefined ? {} : { cursor }) } },
      signal ? { signal } : {},
    )
    yield value.items
    entries += value.items.length
    const next = value.nextCursor ?? undefined
    if (entries > ENTRIES_MOST || (next !== undefined && (next === cursor || value.items.length === 0)))
      throw problem('incompatible', say('send.endless', { name: nameOf(path) }), {
        detail: 'nextCursor',
      })
    cursor = next
  } while (cursor !== undefined)
}
