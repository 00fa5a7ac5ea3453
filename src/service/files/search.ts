import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { z } from 'zod'
import type { SearchHit } from '../../contract/areas/values/file-values.ts'
import { kindOf, modifiedAt } from './names/entry.ts'
import { joined } from '../../contract/rules/paths.ts'
import { openIn } from './safe-fs/open-in.ts'
import type { OpenedFolder } from './safe-fs/opened-folder.ts'
import type { FolderEntry } from './safe-fs/read-folder.ts'
import { walkTree } from './safe-fs/walk-tree.ts'
import { refusal } from '../base/refusal.ts'
import { asRefusal } from './names/refusals.ts'
import type { ServerFiles } from './server-files.ts'

export type Hit = z.input<typeof SearchHit>

export interface SearchWish {
  /** The folder to search in and below. */
  path: string
  /** Part of the name; empty: any. */
  name: string
  /** Part of a line; empty: names alone are searched. */
  text: string
  /** Most finds. */
  limit: number
}

/** Larger files are not searched for text, in bytes. */
const TEXT_BYTES = 50 * 1024 * 1024
/** Entries looked at side by side; finds stay in order. Few: the threads that read are those of everybody. */
const AT_ONCE = 4
/** A search ends after so long, in milliseconds: nobody waits for longer, and others search too. */
const SEARCH_MS = 20_000
/** Read at once, in bytes. */
const PIECE = 256 * 1024
/** A file with a NUL within so many bytes is no text. */
const BINARY_WITHIN = 8192
/** A line is looked at in pieces of so many characters, and so much of it is shown. */
const LINE_MOST = 64 * 1024
const SHOWN = 300

const folded = (text: string): string => text.normalize('NFC').toLowerCase()

/**
 * Finds names, or lines of text files, in any case. Links are not followed. Ends at the limit, or when `signal` says so.
 * Throws 422 `files.search-too-long`: what was found until then may be little of it, and would pass for all.
 */
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
  const text = folded(wish.text)
  const isOver = () => signal.aborted || hits.length >= wish.limit

  /** What there is to tell of one entry. */
  const look = async (folder: OpenedFolder, path: string, entry: FolderEntry): Promise<Hit[]> => {
    if (name !== '' && !folded(entry.name).includes(name)) return []
    if (text !== '' && entry.kind !== 'file') return []
    const stat = await lstat(folder.at(entry.name)).catch(() => null)
    if (!stat) return []
    const about = hitOf(path, stat)
    if (text === '') return [about]
    const found: Hit[] = []
    if (!stat.isFile() || stat.size > TEXT_BYTES) return found
    for await (const line of linesWith(files, folder, entry.name, text, signal)) {
      found.push({ ...about, ...line })
      if (signal.aborted || hits.length + found.length >= wish.limit) break
    }
    return found
  }
  try {
    using top = files.open(wish.path)
    /** A folder's path below the one that was asked for, which may lead through links. */
    const pathOf = (folder: OpenedFolder) =>
      joined(wish.path, folder.path.slice(top.path === '' ? 0 : top.path.length + 1))
    const skip = (error: unknown, name: string) => {
      // Other folders may be deleted during the search.
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
    const decoder = new TextDecoder('utf-8')
    // One byte more, so that a small file is known to be over after one look.
    const buffer = Buffer.allocUnsafe(Math.min(PIECE, Number(stat.size) + 1))
    let rest = ''
    let line = 1
    for (let position = 0; !signal.aborted;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      const piece = buffer.subarray(0, bytesRead)
      if (position === 0 && piece.subarray(0, BINARY_WITHIN).includes(0)) return
      position += bytesRead
      const isLast = bytesRead < buffer.length
      const all = rest + decoder.decode(piece, { stream: !isLast })
      const end = isLast ? all.length : all.lastIndexOf('\n') + 1
      const whole = all.slice(0, end)
      rest = all.slice(end)
      // Most pieces hold nothing: then their lines are only counted.
      if (folded(whole).includes(text)) {
        const lines = whole.split('\n')
        if (!isLast) lines.pop()
        for (const one of lines) {
          const shown = cut(one, text)
          if (shown !== null) yield { line, text: shown }
          line++
        }
      } else for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) line++
      if (isLast) return
      // One endless line: what was searched of it is let go, but for what may begin the text.
      if (rest.length > LINE_MOST) {
        const shown = cut(rest, text)
        if (shown !== null) yield { line, text: shown }
        rest = shown === null ? rest.slice(-text.length * 2) : ''
      }
    }
  } finally {
    await handle.close()
  }
}

/** The part of a line around the text; null where it does not hold it. */
function cut(line: string, text: string): string | null {
  const at = folded(line).indexOf(text)
  if (at < 0) return null
  const clean = line.endsWith('\r') ? line.slice(0, -1) : line
  const start = Math.max(0, Math.min(at - SHOWN / 3, clean.length - SHOWN))
  return clean.slice(start, start + SHOWN)
}
