import { lstatSync, unlinkSync } from 'node:fs'
import { mkdir, rm, rmdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { Conflict } from '../../contract/api/file-values.ts'
import { Refusal } from '../refusal.ts'
import type { JobProgress } from './jobs.ts'
import { joined, splitLast } from './names.ts'
import { exists, isFolder, notFolder } from './refusals.ts'
import type { ServerFiles } from './server-files.ts'
import { Unpacking } from './unpack.ts'
import { unpackTar } from './unpack-tar.ts'
import { unpackZip } from './unpack-zip.ts'

/** Names looked at before others have their turn. */
const LOOKS = 128

export interface ExtractWish {
  path: string
  to: string
  conflict: Conflict
}

/**
 * Unpacks an archive. Everything is unpacked into the staging folder first and placed only when the whole archive is
 * good: where anything is wrong, or it is cancelled, nothing has changed. Throws the refusals of files and archives.
 */
export async function extractArchive(
  files: ServerFiles,
  wish: ExtractWish,
  progress: JobProgress,
): Promise<void> {
  const { handle, stat } = await files.openRead(wish.path)
  const root = `${files.newTemp()}.job`
  try {
    const kind = await kindOfArchive(handle)
    await mkdir(root, { mode: 0o700 })
    using claim = await files.space.claim(0)
    const unpacking = new Unpacking(files, root, Number(stat.size), await files.space.free(), claim, progress)
    if (kind === 'zip') await unpackZip(handle, unpacking, progress)
    else await unpackTar(handle, kind === 'tar.gz', unpacking, progress.signal)
    await requireRoom(files, wish, unpacking)
    await unpacking.flush()
    progress.finish()
    await placeAll(files, wish, unpacking)
  } finally {
    await handle.close()
    await rm(root, { recursive: true, force: true })
  }
}

/** By its first bytes: a name says nothing. Throws 422 `files.archive-unknown`. */
async function kindOfArchive(handle: FileHandle): Promise<'zip' | 'tar.gz' | 'tar'> {
  const start = Buffer.alloc(512)
  await handle.read(start, 0, start.length, 0)
  const begins = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte)
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return 'zip'
  if (begins(0x1f, 0x8b)) return 'tar.gz'
  if (start.toString('latin1', 257, 262) === 'ustar') return 'tar'
  const message = 'This is no archive that can be unpacked here: zip, tar and tar.gz are.'
  throw new Refusal(422, 'files.archive-unknown', message)
}

/** Throws before anything is placed, where a name is in the way. */
async function requireRoom(
  files: ServerFiles,
  { to, conflict }: ExtractWish,
  unpacking: Unpacking,
): Promise<void> {
  const kindAt = (path: string) => {
    try {
      using place = files.locate(path, { follow: true })
      return lstatSync(place.at, { throwIfNoEntry: false })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'files.not-found') return undefined
      throw error
    }
  }
  for (const path of unpacking.folders) {
    if (unpacking.files.has(path)) throw isFolder(joined(to, path))
    const there = kindAt(joined(to, path))
    if (there && !there.isDirectory()) throw notFolder(joined(to, path))
  }
  let looked = 0
  for (const { path } of unpacking.files.values()) {
    // Looking is done at once each time; others have their turn in between.
    if (++looked % LOOKS === 0) await setImmediate()
    const there = kindAt(joined(to, path))
    if (there && conflict === 'refuse') throw exists(joined(to, path))
    if (there?.isDirectory() && conflict === 'replace') throw isFolder(joined(to, path))
  }
}

/** Places all files. If one cannot be, those that are new are taken away again. */
async function placeAll(
  files: ServerFiles,
  { to, conflict }: ExtractWish,
  unpacking: Unpacking,
): Promise<void> {
  const made: string[] = []
  const madeFolders: string[] = []
  const folderOf = (path: string) => {
    try {
      files.open(path)[Symbol.dispose]()
    } catch {
      const parts = path.split('/')
      for (let i = 1; i <= parts.length; i++) {
        const above = parts.slice(0, i).join('/')
        try {
          files.open(above)[Symbol.dispose]()
        } catch {
          files.open(above, { make: true })[Symbol.dispose]()
          madeFolders.push(above)
        }
      }
    }
  }
  const known = new Set<string>()
  try {
    if (to !== '') folderOf(to)
    for (const path of unpacking.folders) folderOf(joined(to, path))
    for (const { path, temp, modifiedAt } of unpacking.files.values()) {
      const target = joined(to, path)
      const { folder } = splitLast(target)
      if (folder !== '' && !known.has(folder)) folderOf(folder)
      known.add(folder)
      let wasThere = false
      const placed = await files.place(temp, target, {
        conflict,
        modifiedAt,
        durable: false,
        check: (there) => (wasThere = there !== null && conflict === 'replace'),
      })
      if (placed.outcome === 'done' && !wasThere) made.push(placed.path)
    }
    await files.flush(new Set([...known, ...madeFolders.map((path) => splitLast(path).folder)]))
  } catch (error) {
    for (const path of made.reverse()) {
      try {
        using place = files.locate(path, { follow: true })
        unlinkSync(place.at)
      } catch {
        // Somebody else took it away.
      }
    }
    files.space.forget()
    for (const path of madeFolders.reverse()) {
      try {
        using place = files.locate(path)
        await rmdir(place.at)
      } catch {
        // It holds something else by now.
      }
    }
    throw error
  }
}
