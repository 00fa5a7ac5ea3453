import { mkdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { commitAll } from './commit-extracted.ts'
import type { JobProgress } from '../jobs.ts'
import type { NameEncoding } from '../../../contract/rules/names.ts'
import { joined, splitLast } from '../../../contract/rules/paths.ts'
import { exists, isFolder, notFolder } from '../names/refusals.ts'
import { removeTree } from '../safe-fs/remove-tree.ts'
import type { ServerFiles } from '../server-files.ts'
import { Yielder } from '../../../host/yield.ts'
import { EntryNames } from './names/entry-names.ts'
import { isHeader } from './tar-header.ts'
import { unknownArchive, ArchiveExtraction } from './unpack.ts'
import { unpackTar } from './unpack-tar.ts'
import { unpackZip } from './unpack-zip.ts'

export interface ExtractWish {
  path: string
  to: string
  conflict: Conflict
  /** Encoding of names that don't declare one; guessed by default. */
  names?: NameEncoding | undefined
}

/** Extracts to staging first, so errors and cancellation change nothing. Replaced files don't go to the trash. */
export async function extractArchive(
  files: ServerFiles,
  wish: ExtractWish,
  progress: JobProgress,
): Promise<void> {
  const { handle, stat } = await files.openRead(wish.path)
  const root = `${files.newTemp()}.job`
  try {
    const kind = await kindOfArchive(handle)
    const [unpacked, former] = [join(root, 'unpacked'), join(root, 'former')]
    await mkdir(root, { mode: 0o700 })
    for (const folder of [unpacked, former]) await mkdir(folder, { mode: 0o700 })
    using reservation = await files.space.reserve(0)
    const unpacking = new ArchiveExtraction({
      ...{ own: files, root: unpacked, archiveBytes: Number(stat.size), to: wish.to },
      ...{ free: await files.space.free(), reservation, progress },
    })
    const names = new EntryNames(wish.names ?? null)
    if (kind === 'zip') await unpackZip(handle, unpacking, names, progress)
    else await unpackTar(handle, kind === 'tar.gz', unpacking, names, progress)
    if (names.result) progress.namesRead(names.result)
    await requireRoom(files, wish, unpacking)
    await unpacking.flush()
    progress.finish()
    await commitAll(files, wish, unpacking, former)
  } finally {
    await handle.close()
    await removeTree(root)
  }
}

/** Throws 422 `files.archive-unknown`. */
async function kindOfArchive(handle: FileHandle): Promise<'zip' | 'tar.gz' | 'tar'> {
  const start = Buffer.alloc(512)
  await handle.read(start, 0, start.length, 0)
  const begins = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte)
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return 'zip'
  if (begins(0x1f, 0x8b)) return 'tar.gz'
  if (isHeader(start)) return 'tar'
  throw unknownArchive()
}

/** Throws before anything is placed if a name is in the way. */
async function requireRoom(
  files: ServerFiles,
  { to, conflict }: ExtractWish,
  unpacking: ArchiveExtraction,
): Promise<void> {
  const yielder = new Yielder()
  for (const path of unpacking.folders) {
    await yielder.next()
    if (unpacking.files.has(path)) throw isFolder(joined(to, path))
    unpacking.requireNoFile(splitLast(path).folder)
    const there = files.find(joined(to, path))
    if (there && !there.isDirectory()) throw notFolder(joined(to, path))
  }
  for (const path of unpacking.files.keys()) {
    await yielder.next()
    const there = files.find(joined(to, path))
    if (there && conflict === 'refuse') throw exists(joined(to, path))
    if (there?.isDirectory() && conflict === 'replace') throw isFolder(joined(to, path))
  }
}
