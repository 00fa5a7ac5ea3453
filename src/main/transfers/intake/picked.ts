import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { FilePath, ItemPath } from '../../../contract/areas/values/file-values.ts'
import { say } from '../../../contract/messages/say.ts'
import { problem } from '../../base/problem.ts'
import type { Bytes } from '../bytes/bytes.ts'
import { joined } from '../../../contract/rules/paths.ts'
import type { NewItem } from '../store/rows.ts'

/** Most files and folders of one transfer as they are handed over. */
const MOST = 200_000
/** Most of them that are held at once. */
const PAGE = 250

const Id = z.string().min(1).max(200)
const To = z.object({ connectionId: Id, serverId: Id, folder: FilePath })
const Folders = z.array(ItemPath).max(MOST)

/** What Electron's preload hands over: it resolved each `File` to a path of this computer. */
export const PickedPaths = z.object({
  to: To,
  files: z.array(z.object({ path: ItemPath, file: z.string().min(1).max(32_768) })).max(MOST),
  folders: Folders,
})
export type PickedPaths = z.output<typeof PickedPaths>

/** What the browser's page announces before it sends bytes. Times in ms since 1970. */
export const Announcement = z.object({
  to: To,
  files: z
    .array(
      z.object({
        path: ItemPath,
        size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
        // A file may be dated before 1970: archives and clocks that were wrong do that.
        modifiedAt: z.number().min(-8.64e15).max(8.64e15),
      }),
    )
    .max(MOST),
  folders: Folders,
  /** Of the page's own making; its socket carries the same. */
  page: z.string().min(1).max(100),
})
export type Announcement = z.output<typeof Announcement>

/** Folders become items before the files do. */
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

/** What is looked at below the picked paths. */
interface Found {
  path: string
  file: string
  /** Links to a folder can lead round in a circle, with more paths at each turn: none is entered within itself. */
  above: readonly string[]
}

/** Of this computer's file or folder: bytes, and ms since 1970. */
interface Stat {
  size: number
  modifiedAt: number
}
type FoundFolder = Found & { stat: Stat }

/**
 * Picked paths as items, a folder among them with all it holds, in pages: however many they are, one page of them is held.
 * What is not there is an item that fails by itself.
 */
export async function* pickedItems(
  { to, files, folders }: PickedPaths,
  bytes: Bytes,
): AsyncGenerator<NewItem[]> {
  /** Folders that are still to be read. */
  const waiting: FoundFolder[] = []
  let count = 0
  const counted = (items: NewItem[]): NewItem[] => {
    count += items.length
    if (count + waiting.length > MOST) throw tooMany()
    return items
  }
  const page = async (found: readonly Found[]) => counted(await itemsOf(to.folder, found, waiting, bytes))
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
      if (!(error instanceof Unreadable)) throw error
      isEmpty = false
      // One that cannot be read is an item that fails: what is left out has to be said.
      yield counted([fileItem(to.folder, next, next.stat)])
    }
    if (isEmpty) yield counted(folderItems(to.folder, [next.path]))
  }
}

/** The files among what was found; folders wait to be read. */
async function itemsOf(
  folder: string,
  found: readonly Found[],
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
  { path, file }: Pick<Found, 'path' | 'file'>,
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

/** This computer does not give what a folder holds. */
class Unreadable extends Error {}

/** The names in a folder, in pages. */
async function* namesIn(folder: string): AsyncGenerator<string[]> {
  const unreadable = (error: unknown) => {
    throw new Unreadable(folder, { cause: error })
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

const tooMany = () => problem('too-large', say('send.too-many', { most: MOST }), { retryable: false })

/** What people call a transfer: the first part of the first path. */
export const nameOfAll = (paths: readonly string[]): string => (paths[0] ?? '').split('/')[0] ?? ''
