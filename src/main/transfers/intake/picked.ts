import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { FilePath, ItemPath } from '../../../contract/areas/values/file-values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import type { Bytes } from '../bytes/methods.ts'
import { joined } from '../../../contract/rules/paths.ts'
import type { NewItem, NewTransfer } from '../store/rows.ts'
import type { Store } from '../store/tables.ts'

const MOST = 200_000
const PAGE = 250

const Id = z.string().min(1).max(200)
const UploadTarget = z.object({ connectionId: Id, serverId: Id, folder: FilePath })
const Folders = z.array(ItemPath).max(MOST)

/** From Electron's preload, which resolved each `File` to a local path. */
export const PickedPaths = z.object({
  to: UploadTarget,
  files: z.array(z.object({ path: ItemPath, file: z.string().min(1).max(32_768) })).max(MOST),
  folders: Folders,
})
export type PickedPaths = z.output<typeof PickedPaths>

/** Sent by the page before its bytes. Times in ms since 1970. */
export const Announcement = z.object({
  to: UploadTarget,
  files: z
    .array(
      z.object({
        path: ItemPath,
        size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
        // Files may be dated before 1970, by archives or wrong clocks.
        modifiedAt: z.number().min(-8.64e15).max(8.64e15),
      }),
    )
    .max(MOST),
  folders: Folders,
  /** Chosen by the page; its socket sends the same id. */
  page: z.string().min(1).max(100),
})
export type Announcement = z.output<typeof Announcement>

export const folderItems = (folder: string, folders: readonly string[]): NewItem[] =>
  folders.map((path) => ({
    path,
    kind: 'folder',
    size: 0,
    modifiedAt: null,
    source: '',
    target: joined(folder, path),
    state: 'waiting',
  }))

interface WalkEntry {
  path: string
  file: string
  /** Enclosing folders, so that links can't lead into a cycle. */
  above: readonly string[]
}

/** Bytes, and ms since 1970. */
interface Stat {
  size: number
  modifiedAt: number
}
type FoundFolder = WalkEntry & { stat: Stat }

/** Yields picked paths and folder contents in pages, to bound memory. A missing path becomes an item that fails. */
export async function* pickedItems(
  { to, files, folders }: PickedPaths,
  bytes: Bytes,
): AsyncGenerator<NewItem[]> {
  const waiting: FoundFolder[] = []
  let count = 0
  const counted = (items: NewItem[]): NewItem[] => {
    count += items.length
    if (count + waiting.length > MOST) throw tooMany()
    return items
  }
  const page = async (found: readonly WalkEntry[]) => counted(await itemsOf(to.folder, found, waiting, bytes))
  for (const some of pagesOf(folders)) yield counted(folderItems(to.folder, some))
  for (const some of pagesOf(files)) yield await page(some.map((one) => ({ ...one, above: [] })))
  while (waiting.length > 0) for (const next of waiting.splice(0)) yield* within(next)

  async function* within(next: FoundFolder): AsyncGenerator<NewItem[]> {
    let isEmpty = true
    try {
      for await (const names of namesIn(next.file)) {
        isEmpty = false
        const { path, file, above } = next
        yield await page(names.map((name) => ({ path: `${path}/${name}`, file: join(file, name), above })))
      }
    } catch (error) {
      if (!(error instanceof UnreadableEntry)) throw error
      isEmpty = false
      yield counted([fileItem(to.folder, next, next.stat)])
    }
    if (isEmpty) yield counted(folderItems(to.folder, [next.path]))
  }
}

async function itemsOf(
  folder: string,
  found: readonly WalkEntry[],
  waiting: FoundFolder[],
  bytes: Bytes,
): Promise<NewItem[]> {
  const stats = await bytes.statMany(found.map(({ file }) => file))
  const made: NewItem[] = []
  for (const [index, one] of found.entries()) {
    const stat = stats[index] ?? null
    if (!stat?.isFolder) made.push(fileItem(folder, one, stat))
    else if (!one.above.includes(stat.id)) waiting.push({ ...one, stat, above: [...one.above, stat.id] })
  }
  return made
}

const fileItem = (
  folder: string,
  { path, file }: Pick<WalkEntry, 'path' | 'file'>,
  stat: Stat | null,
): NewItem => ({
  path,
  kind: 'file',
  size: stat?.size ?? 0,
  modifiedAt: stat?.modifiedAt ?? null,
  source: file,
  target: joined(folder, path),
  state: 'waiting',
})

class UnreadableEntry extends Error {}

async function* namesIn(folder: string): AsyncGenerator<string[]> {
  const unreadable = (error: unknown) => {
    throw new UnreadableEntry(folder, { cause: error })
  }
  const opened = await opendir(folder, { bufferSize: PAGE }).catch(unreadable)
  try {
    for (;;) {
      const names: string[] = []
      while (names.length < PAGE) {
        const entry = await opened.read().catch(unreadable)
        if (!entry) break
        names.push(entry.name)
      }
      if (names.length > 0) yield names
      if (names.length < PAGE) return
    }
  } finally {
    await opened.close()
  }
}

function* pagesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += PAGE) yield all.slice(at, at + PAGE)
}

const tooMany = () => problem('too-large', localized('send.too-many', { most: MOST }), { retryable: false })

export const nameOfAll = (paths: readonly string[]): string => (paths[0] ?? '').split('/')[0] ?? ''

/** Queues picked files page by page: there may be hundreds of thousands. The transfer exists once complete. */
export async function collectPicked(
  { store, bytes, client }: { store: Store; bytes: Bytes; client: (connectionId: string) => unknown },
  transfer: NewTransfer,
  picked: PickedPaths,
): Promise<void> {
  const name = nameOfAll([...picked.files.map(({ path }) => path), ...picked.folders])
  await store.collect({ ...transfer, name })
  const gone = () => {
    // Throws if the connection was removed meanwhile.
    client(transfer.connectionId)
    return problem('not-found', localized('send.over'))
  }
  try {
    // Don't queue anything for a removed connection: it would never be wiped.
    client(transfer.connectionId)
    let isEmpty = true
    for await (const items of pickedItems(picked, bytes)) {
      isEmpty &&= items.length === 0
      if (items.length > 0 && !(await store.collected(transfer.id, items))) throw gone()
    }
    if (isEmpty) throw problem('invalid', localized('send.nothing'))
    if (!(await store.begin(transfer.id))) throw gone()
  } catch (error) {
    // If the disk is full, it is removed on the next start.
    await store.discard(transfer.id).catch(() => undefined)
    throw error
  }
}
