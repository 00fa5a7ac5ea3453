import { lstat } from 'node:fs/promises'
import type { JobProgress, OmissionReason } from '../jobs.ts'
import { joined, MOST_DEPTH, splitLast } from '../../../contract/rules/paths.ts'
import { Refusal } from '../../../host/refusal.ts'
import { hasRawBytes } from '../../../contract/rules/raw-bytes.ts'
import { kindOf } from '../names/entry.ts'
import { newPartsOf } from '../names/names.ts'
import { entryName, entryParts } from './names/entry-names.ts'
import { openIn } from '../safe-fs/open-in.ts'
import type { OpenedFolder } from '../safe-fs/opened-folder.ts'
import { asRefusal, refusing } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'
import { eachOf } from '../safe-fs/walk.ts'

const SMALL = 256 * 1024
const AHEAD = 32
/** Path limit in bytes: paths end at 4096, and extraction may add parent folders. */
const PATH_BYTES = 3500

interface Group {
  folder: string
  /** Sizes in bytes. */
  files: { name: string; size: number }[]
}

interface ArchiveListing {
  groups: Group[]
  folders: string[]
  bytes: number
  count: number
}

type ReadOptions = { end: number; highWaterMark: number; autoClose: boolean }

/** A file, or what is read like one. */
export type LargeSource = AsyncDisposable & { createReadStream(options: ReadOptions): AsyncIterable<Buffer> }

/** `data`: the whole content. `handle`: the consumer closes it. */
export type ArchiveItem = { path: string; modifiedAt: Date; mode: number } & (
  { kind: 'folder' } | { kind: 'file'; data: Buffer } | { kind: 'large'; handle: LargeSource; size: number }
)

export function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => splitLast(path).folder.split('/').filter(Boolean))
  const [first = []] = folders
  let length = 0
  while (length < first.length && folders.every((parts) => parts[length] === first[length])) length++
  return first.slice(0, length).join('/')
}

/** Lists everything at and below the paths; reports what can't be archived. Throws 404 for missing paths. */
export async function listTree(
  files: ServerFiles,
  paths: readonly string[],
  { signal, leaveOut }: Pick<JobProgress, 'signal' | 'leaveOut'>,
): Promise<ArchiveListing> {
  const listed: ArchiveListing = { groups: [], folders: [], bytes: 0, count: 0 }
  const base = commonFolder(paths)
  /** Judges by the path alone; null if it can be archived. */
  const reasonAgainst = (path: string): OmissionReason | null => {
    if (path.split('/').length > MOST_DEPTH || Buffer.byteLength(path) > PATH_BYTES) return 'deep'
    return isUsable(nameIn(base, path)) ? null : 'name'
  }
  const take = async (folder: OpenedFolder, shown: string): Promise<string[]> => {
    const group: Group = { folder: shown, files: [] }
    const below: string[] = []
    await eachOf(await folder.entries(), async ({ name, kind }) => {
      const path = joined(shown, name)
      const reason = reasonAgainst(path)
      if (reason) return leaveOut(path, reason)
      if (kind === 'folder') return void below.push(name)
      const stat = kind === 'file' ? await lstat(folder.at(name)).catch(() => null) : null
      if (stat?.isFile()) group.files.push({ name, size: stat.size })
      else if (stat || kind !== 'file')
        leaveOut(path, (stat ? kindOf(stat) : kind) === 'link' ? 'link' : 'special')
    })
    group.files.sort((a, b) => (a.name < b.name ? -1 : 1))
    if (group.files.length > 0) listed.groups.push(group)
    listed.count += group.files.length
    listed.bytes += group.files.reduce((sum, { size }) => sum + size, 0)
    return below.sort()
  }
  const walk = async (path: string): Promise<void> => {
    signal.throwIfAborted()
    listed.folders.push(path)
    let below: string[]
    {
      using folder = files.open(path)
      below = await take(folder, path)
    }
    for (const name of below) await walk(joined(path, name))
  }
  for (const path of new Set(paths)) {
    await refusing(path, async () => {
      const stat = await files.stat(path)
      const reason = reasonAgainst(path)
      if (reason) return leaveOut(path, reason)
      if (stat.isDirectory()) return walk(path)
      if (!stat.isFile()) return leaveOut(path, stat.isSymbolicLink() ? 'link' : 'special')
      const { folder, name } = splitLast(path)
      listed.groups.push({ folder, files: [{ name, size: Number(stat.size) }] })
      listed.count++
      listed.bytes += Number(stat.size)
    })
  }
  return listed
}

export const nameIn = (base: string, path: string): string =>
  entryName(base === '' ? path : path.slice(base.length + 1))

/** Raw bytes that aren't Unicode can't be used in archives. */
function isUsable(name: string): boolean {
  try {
    return !hasRawBytes(name) && newPartsOf(entryParts(name).join('/')).length > 0
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Reads files in order, small ones ahead. Reports files that vanished or have hard links outside. */
export async function* readTree(
  files: ServerFiles,
  listed: ArchiveListing,
  { signal, leaveOut }: Pick<JobProgress, 'signal' | 'leaveOut'>,
): AsyncGenerator<ArchiveItem> {
  for (const path of listed.folders) {
    const stat = await files.stat(path).catch(() => null)
    if (stat) yield { kind: 'folder', path, modifiedAt: stat.mtime, mode: Number(stat.mode) & 0o777 }
  }
  for (const group of listed.groups) {
    using folder = files.open(group.folder)
    const reading: { path: string; read: Promise<ArchiveItem | null> }[] = []
    let next = 0
    try {
      while (next < group.files.length || reading.length > 0) {
        signal.throwIfAborted()
        while (reading.length < AHEAD && next < group.files.length) {
          const { name } = group.files[next++]!
          const path = joined(group.folder, name)
          const read = readOne(files, folder, name, path)
          read.catch(() => {})
          reading.push({ path, read })
        }
        const { path, read } = reading.shift()!
        const packed = await read
        if (packed) yield packed
        else {
          const stat = await files.stat(path).catch(() => null)
          leaveOut(path, stat?.isFile() && stat.nlink > 1n ? 'outside' : 'changed')
        }
      }
    } finally {
      // If the consumer stops early, close files opened ahead.
      for (const { read } of reading) {
        const packed = await read.catch(() => null)
        if (packed?.kind === 'large') await packed.handle[Symbol.asyncDispose]()
      }
    }
  }
}

async function readOne(
  files: ServerFiles,
  folder: OpenedFolder,
  name: string,
  path: string,
): Promise<ArchiveItem | null> {
  try {
    const opened = await openIn(files, folder, name)
    if (!opened) return null
    const { handle, stat } = opened
    const shared = { path, modifiedAt: stat.mtime, mode: Number(stat.mode) & 0o777 }
    if (stat.size > SMALL) return { ...shared, kind: 'large', handle, size: Number(stat.size) }
    try {
      return { ...shared, kind: 'file', data: await handle.readFile() }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw asRefusal(error, path)
  }
}
