import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { z } from 'zod'
import type { SearchHit } from '../../contract/areas/values/file-values.ts'
import { kindOf, modifiedAt } from './names/entry.ts'
import { folded, LineSearch, SEARCHED_MOST } from '../../contract/rules/line-search.ts'
import { joined } from '../../contract/rules/paths.ts'
import { openIn } from './safe-fs/open-in.ts'
import type { OpenedFolder } from './safe-fs/opened-folder.ts'
import type { FolderEntry } from './safe-fs/read-folder.ts'
import { walkTree } from './safe-fs/walk-tree.ts'
import { refusal } from '../../host/refusal.ts'
import { asRefusal } from './names/refusals.ts'
import type { ServerFiles } from './server-files.ts'

export type Hit = z.input<typeof SearchHit>

export interface SearchWish {
  path: string
  name: string
  text: string
  limit: number
}

/** Entries searched in parallel; few, as all requests share the threads. */
const AT_ONCE = 4
const SEARCH_MS = 20_000
const PIECE = 256 * 1024

/** Case-insensitive; doesn't follow links. Throws 422 `files.search-too-long` rather than return partial hits. */
export async function search(
  files: ServerFiles,
  wish: SearchWish,
  gone: AbortSignal,
  mostMs = SEARCH_MS,
): Promise<Hit[]> {
  const hits: Hit[] = []
  const late = AbortSignal.timeout(mostMs)
  const signal = AbortSignal.any([gone, late])
  const name = folded(wish.name)
  const isOver = () => signal.aborted || hits.length >= wish.limit

  const look = async (folder: OpenedFolder, path: string, entry: FolderEntry): Promise<Hit[]> => {
    if (name !== '' && !folded(entry.name).includes(name)) return []
    if (wish.text !== '' && entry.kind !== 'file') return []
    const stat = await lstat(folder.at(entry.name)).catch(() => null)
    if (!stat) return []
    const about = hitOf(path, stat)
    if (wish.text === '') return [about]
    const found: Hit[] = []
    if (!stat.isFile() || stat.size > SEARCHED_MOST) return found
    for await (const line of linesWith(files, folder, entry.name, wish.text, signal)) {
      found.push({ ...about, ...line })
      if (signal.aborted || hits.length + found.length >= wish.limit) break
    }
    return found
  }
  try {
    using top = files.open(wish.path)
    /** Relative to the requested folder, which may lead through links. */
    const pathOf = (folder: OpenedFolder) =>
      joined(wish.path, folder.path.slice(top.path === '' ? 0 : top.path.length + 1))
    const skip = (error: unknown, name: string) => {
      if (name === '') throw error
    }
    for await (const step of walkTree(top, skip)) {
      if (step.kind === 'out') continue
      const { folder, entries } = step
      entries.sort((a, b) => (a.name < b.name ? -1 : 1))
      for (let at = 0; at < entries.length && !isOver(); at += AT_ONCE) {
        const some = entries.slice(at, at + AT_ONCE)
        const found = await Promise.all(
          some.map((entry) => look(folder, joined(pathOf(folder), entry.name), entry)),
        )
        hits.push(...found.flat().slice(0, wish.limit - hits.length))
      }
      if (isOver()) break
    }
  } catch (error) {
    throw asRefusal(error, wish.path)
  }
  if (late.aborted && hits.length < wish.limit) throw tooLong(mostMs)
  return hits
}

const tooLong = (ms: number) => refusal(422, 'files.search-too-long', { seconds: ms / 1000 })

const hitOf = (path: string, stat: Stats): Hit => ({
  path,
  kind: kindOf(stat),
  size: stat.isFile() ? stat.size : null,
  modifiedAt: modifiedAt(stat),
})

async function* linesWith(
  files: ServerFiles,
  folder: OpenedFolder,
  name: string,
  text: string,
  signal: AbortSignal,
) {
  const opened = await openIn(files, folder, name).catch(() => null)
  if (!opened) return
  const { handle, stat } = opened
  try {
    const search = new LineSearch(text)
    // One extra byte detects the end of a small file in the first read.
    const buffer = Buffer.allocUnsafe(Math.min(PIECE, Number(stat.size) + 1))
    let position = 0
    for (let isLast = false; !isLast && !search.isBinary && !signal.aborted;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      position += bytesRead
      isLast = bytesRead < buffer.length
      yield* search.linesIn(buffer.subarray(0, bytesRead), isLast)
    }
  } finally {
    await handle.close()
  }
}
