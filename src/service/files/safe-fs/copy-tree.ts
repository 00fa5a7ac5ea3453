import { lstatSync, mkdirSync, readlinkSync, symlinkSync, type BigIntStats } from 'node:fs'
import { chmod, open, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileTime } from '../../../computer/file-time.ts'
import type { Reservation } from '../quota/reservations.ts'
import { kindOf } from '../entry.ts'
import { joined } from '../../../contract/pure/paths.ts'
import type { OpenedFolder } from './opened-folder.ts'
import { cancelled, notFile, outside, replacedMeanwhile } from '../refusals.ts'
import { READ_FLAGS, type ServerFiles } from '../server-files.ts'
import { behind } from './priority.ts'
import { eachOf } from './walk.ts'

const CHUNK = 1024 * 1024
/** How a file is opened to be brought to the disk: Windows wants it writable; elsewhere it may be a read-only one. */
const FLUSHED = process.platform === 'win32' ? 'r+' : 'r'

/**
 * Copies something of an opened folder to a path of the system outside the world: bytes, times and modes; links as
 * links; pipes and devices within a folder are left out. Throws Refusal 499 when cancelled, 409 `files.changed` where
 * something became something else meanwhile; what was made then is left to the caller.
 */
export async function copyTree(
  files: ServerFiles,
  from: { folder: OpenedFolder; name: string },
  to: string,
  signal: AbortSignal,
  reservation: Pick<Reservation, 'wrote'>,
): Promise<void> {
  if (signal.aborted) throw cancelled()
  const { folder, name } = from
  const stat = lstatSync(folder.at(name), { bigint: true })
  switch (kindOf(stat)) {
    case 'link':
      return symlinkSync(linkOf(folder, name), to)
    case 'other':
      throw notFile(joined(folder.path, name))
    case 'file':
      return behind(() => copyFile(files, from, to, signal, reservation))
    case 'folder': {
      using inner = folder.enter(name)
      mkdirSync(to, { mode: 0o700 })
      for (const entry of await readdir(inner.itself, { withFileTypes: true })) {
        if (kindOf(entry) !== 'other')
          await copyTree(
            files,
            { folder: inner, name: entry.name },
            join(to, entry.name),
            signal,
            reservation,
          )
      }
      await keepRecord(to, stat)
    }
  }
}

function linkOf(folder: OpenedFolder, name: string): string {
  try {
    return readlinkSync(folder.at(name))
  } catch (error) {
    // It was one a moment ago.
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') throw replacedMeanwhile(joined(folder.path, name))
    throw error
  }
}

async function copyFile(
  files: ServerFiles,
  { folder, name }: { folder: OpenedFolder; name: string },
  to: string,
  signal: AbortSignal,
  reservation: Pick<Reservation, 'wrote'>,
): Promise<void> {
  await using source = await open(folder.at(name), READ_FLAGS)
  const stat = await source.stat({ bigint: true })
  const path = joined(folder.path, name)
  if (!stat.isFile()) throw notFile(path)
  folder.confirm(name, stat)
  if (!(await files.hardLinks.allInside(stat))) throw outside(path)
  {
    await using target = await open(to, 'wx', 0o600)
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Number(stat.size) + 1))
    for (;;) {
      if (signal.aborted) throw cancelled()
      const { bytesRead } = await source.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) break
      await target.writeFile(buffer.subarray(0, bytesRead))
      reservation.wrote(bytesRead)
    }
  }
  await keepRecord(to, stat)
}

/** Gives a copy the mode and the times of what it was made of. */
async function keepRecord(to: string, stat: BigIntStats): Promise<void> {
  await chmod(to, Number(stat.mode) & 0o777)
  await utimes(to, fileTime(Number(stat.atimeMs)), fileTime(Number(stat.mtimeMs)))
}

/** Brings all files of a tree of ours to the disk: a copy may not have its name before its bytes are there. */
export async function flushTree(at: string): Promise<void> {
  const stat = lstatSync(at)
  if (stat.isFile()) return flushFile(at)
  if (!stat.isDirectory()) return
  const entries = await readdir(at, { recursive: true, withFileTypes: true })
  await eachOf(
    entries.filter((entry) => entry.isFile()),
    ({ parentPath, name }) => flushFile(join(parentPath, name)),
  )
}

/** Brings one file of long work to the disk. */
export function flushFile(at: string): Promise<void> {
  return behind(async () => {
    await using handle = await open(at, FLUSHED)
    await handle.sync()
  })
}

/** Bytes of all files of something in an opened folder. What goes meanwhile counts nothing. */
export async function treeBytes(folder: OpenedFolder, name: string): Promise<number> {
  const stat = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.isFile() ? stat.size : 0
  using inner = folder.enter(name)
  let bytes = 0
  for (const entry of await readdir(inner.itself, { withFileTypes: true })) {
    if (entry.isDirectory() || entry.isFile()) bytes += await treeBytes(inner, entry.name).catch(() => 0)
  }
  return bytes
}
