import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { FilePath, ItemPath } from '../../../contract/areas/file-values.ts'
import { say } from '../../../contract/messages/say.ts'
import { problem } from '../../api/problem.ts'
import type { Bytes } from '../bytes/bytes.ts'
import { joined } from '../../../contract/pure/paths.ts'
import type { NewItem } from '../store/rows.ts'

/** Most files and folders of one transfer as they are handed over. */
const MOST = 200_000

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

/** Picked paths as items; a folder among them with all it holds. What is not there is an item that fails by itself. */
export async function pickedItems({ to, files, folders }: PickedPaths, bytes: Bytes): Promise<NewItem[]> {
  const made = folderItems(to.folder, folders)
  /** Links to a folder can lead round in a circle, with more paths at each turn: none is entered within itself. */
  let waiting = files.map((one) => ({ ...one, above: [] as string[] }))
  while (waiting.length > 0) {
    const found = await bytes.statMany(waiting.map(({ file }) => file))
    const below: typeof waiting = []
    for (const [index, { path, file, above }] of waiting.entries()) {
      const stat = found[index]
      // One that cannot be read is an item that fails: what is left out has to be said.
      const names = stat?.isFolder ? await readdir(file).catch(() => null) : null
      if (stat?.isFolder && names) {
        if (above.includes(stat.id)) continue
        if (names.length === 0) made.push(...folderItems(to.folder, [path]))
        const within = [...above, stat.id]
        below.push(
          ...names.map((name) => ({ path: `${path}/${name}`, file: join(file, name), above: within })),
        )
        if (made.length + below.length > MOST) throw tooMany()
        continue
      }
      made.push({
        path,
        kind: 'file',
        size: stat?.size ?? 0,
        modifiedAt: stat?.modifiedAt ?? null,
        source: file,
        target: joined(to.folder, path),
        state: 'waiting',
      })
    }
    waiting = below
  }
  return made
}

const tooMany = () => problem('too-large', say('send.too-many', { most: MOST }), { retryable: false })

/** What people call a transfer: the first part of the first path. */
export const nameOfAll = (paths: readonly string[]): string => (paths[0] ?? '').split('/')[0] ?? ''
