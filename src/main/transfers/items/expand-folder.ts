import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { api } from '../../../contract/areas/index.ts'
import type { FileEntry } from '../../../contract/bridge/values.ts'
import { type LocalizedText, localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem, problem } from '../../base/problem.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { joined, nameOf } from '../../../contract/rules/paths.ts'
import { type ItemOutcome, type TransferContext } from './context.ts'
import { clashing, isUsable, leadsElsewhere, NO_TARGET } from './local-names.ts'
import { makeFolder } from './claim-name.ts'
import { listPage, type RemoteFiles } from './remote-files.ts'
import type { ItemRow, NewItem } from '../store/rows.ts'

/** Beyond any real folder: a service that lists more is looping. */
const ENTRIES_MOST = 2_000_000

export async function downloadFolder(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  const listed = await entriesOf(context.client, context.transfer, item.source, context.signal)
  try {
    const top = !item.path.includes('/')
    if (top && item.resume === null)
      await makeFolder(dirname(item.target), basename(item.target), (path) =>
        context.keep(item, { resume: path }),
      )
    const target = item.resume ?? item.target
    await mkdir(target, { recursive: true })
    const known = listed.entries.filter(isKnown)
    const names = known.map(({ name }) => name).filter(isUsable)
    const twice = await clashing(names, join(target, `.names.${item.id}.part`))
    const items = known.map((entry): NewItem => {
      const fits = isUsable(entry.name) && !twice.has(entry.name)
      return fits ? newItem(item, entry, join(target, entry.name)) : withoutTarget(item, entry)
    })
    const name = basename(target)
    return await expanded(context, item, items, listed, name === nameOf(item.path) ? null : name)
  } catch (error) {
    throw fsProblem(error, nameOf(item.path))
  }
}

export async function copyFolder(context: TransferContext, item: ItemRow): Promise<ItemOutcome> {
  const from = context.from ?? context.client
  const there = { serverId: context.transfer.fromServerId ?? '', backup: null }
  const listed = await entriesOf(from, there, item.source, context.signal)
  await context.client.send(
    api.files.folder,
    { params: { serverId: context.transfer.serverId }, body: { path: item.target, conflict: 'skip' } },
    { signal: context.signal },
  )
  // Other name checks are the destination's.
  const items = listed.entries
    .filter(isKnown)
    .map((entry): NewItem =>
      leadsElsewhere(entry.name)
        ? withoutTarget(item, entry)
        : newItem(item, entry, joined(item.target, entry.name)),
    )
  return expanded(context, item, items, listed)
}

async function expanded(
  context: TransferContext,
  item: ItemRow,
  items: NewItem[],
  { entries, partial }: FolderListing,
  finalPath: string | null = null,
): Promise<ItemOutcome> {
  // Links and devices are skipped: they mean nothing elsewhere.
  const left = entries
    .filter((entry) => !isKnown(entry))
    .map((entry): NewItem => ({ ...newItem(item, entry, NO_TARGET), size: 0, state: 'skipped' }))
  const all = [...items, ...left]
  if (partial) {
    // Transfer what was listed; the folder itself reports that more may be missing.
    const { problem } = partial
    await context.store.expand(item, all, { state: 'failed', problem, finalPath, reached: entries.length })
    return { kind: 'failed', problem }
  }
  await context.store.expand(item, all, { state: 'done', finalPath })
  return { kind: 'done', finalPath }
}

const isKnown = (entry: FileEntry) => entry.kind === 'file' || entry.kind === 'folder'

const withoutTarget = (parent: ItemRow, entry: FileEntry): NewItem => ({
  ...newItem(parent, entry, NO_TARGET),
  source: entry.name,
})

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

interface FolderListing {
  entries: FileEntry[]
  partial: PanelProblem | null
}

async function entriesOf(
  client: ApiClient,
  of: RemoteFiles,
  path: string,
  signal?: AbortSignal,
): Promise<FolderListing> {
  const entries: FileEntry[] = []
  try {
    for await (const page of pagesOf(client, of, path, signal)) for (const one of page) entries.push(one)
  } catch (error) {
    if (isPartial(error)) return { entries, partial: error }
    throw error
  }
  return { entries, partial: null }
}

const PARTIAL = 'panel.partial-list'

/** Whether a list is incomplete; entries already read stay valid. */
export const isPartial = (error: unknown): error is PanelProblem =>
  error instanceof PanelProblem && error.problem.serviceCode === PARTIAL

const partial = (why: LocalizedText) =>
  problem('incompatible', why, { serviceCode: PARTIAL, retryable: false })

/** Yields a folder's entries by page. If they may be incomplete, throws an `isPartial` error after the last. */
export async function* pagesOf(
  client: ApiClient,
  of: RemoteFiles,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<FileEntry[]> {
  const name = nameOf(path) || '/'
  // A folder that changes between pages may repeat entries.
  const seen = new Set<string>()
  let [cursor, count, unread] = [undefined as string | undefined, 0, 0]
  for (;;) {
    const query = { path, ...(cursor === undefined ? {} : { cursor }) }
    const { value } = await listPage(client, of, query, signal ? { signal } : {})
    const fresh = value.items.filter((entry) => !seen.has(entry.name))
    for (const entry of fresh) seen.add(entry.name)
    yield fresh
    count += value.items.length + value.leftOut.length
    unread += value.leftOut.length
    const next = value.nextCursor ?? undefined
    if (next === undefined) {
      if (!value.complete && !(value.total !== undefined && count >= value.total))
        throw partial(localized('send.partial', { name }))
      if (unread > 0) throw partial(localized('send.unread', { name, count: unread }))
      return
    }
    if (count > ENTRIES_MOST || next === cursor || fresh.length === 0)
      throw partial(localized('send.endless', { name }))
    cursor = next
  }
}
