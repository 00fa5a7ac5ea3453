import { mkdir, statfs } from 'node:fs/promises'
import { diskFullRefusal } from '../base/computer-limits.ts'
import { asRefusal } from '../files/names/refusals.ts'
import { copyTree, flushTree } from '../files/safe-fs/copy-tree.ts'
import { openRoot } from '../files/safe-fs/opened-folder.ts'
import { removeTree } from '../files/safe-fs/remove-tree.ts'
import { measureTree } from '../files/safe-fs/walk.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { refusal } from '../../host/refusal.ts'
import type { InstallPorts } from '../software/software.ts'
import { readWorldSettings } from '../worlds/server-properties.ts'
import { LEFT_OUT, worldNames } from './parts.ts'

/** Disk space to leave free, in bytes. */
const SPARE_BYTES = 64 * 1024 * 1024

export interface CopySummary {
  names: string[]
  bytes: number
}

export async function measureCopy(files: ServerFiles): Promise<CopySummary> {
  const { level } = await readWorldSettings(files)
  const worlds = worldNames(level).map((name) => name.split('/')[0])
  using root = files.open('')
  const names = (await root.entries()).filter(({ kind }) => kind !== 'other').map(({ name }) => name)
  const copied = names.filter((name) => worlds.includes(name) || !LEFT_OUT.includes(name))
  let bytes = 0
  for (const name of copied) bytes += (await measureTree(root, name)).bytes
  return { names: copied, bytes }
}

export async function roomForCopy(files: ServerFiles): Promise<number> {
  const { bavail, bsize } = await statfs(files.staging)
  return Math.max(0, bavail * bsize - SPARE_BYTES)
}

/** Throws Refusal 507 `software.no-room`, file refusals, and the signal's reason. Cleans up on failure. */
export async function makeCopy(
  files: ServerFiles,
  to: string,
  { signal, progress }: InstallPorts,
): Promise<CopySummary> {
  progress('copy', 0, null)
  const copied = await measureCopy(files)
  const free = await roomForCopy(files)
  if (copied.bytes > free) throw noRoom(copied.bytes, free)
  // Checks disk space only: the copy doesn't count towards the user's storage.
  using reservation = await files.space.reserve(copied.bytes, copied.bytes)
  let done = 0
  const counting = {
    wrote(bytes: number) {
      reservation.wrote(bytes)
      progress('copy', Math.min((done += bytes), copied.bytes), copied.bytes)
    },
  }
  try {
    await mkdir(to, { recursive: true, mode: 0o700 })
    using root = files.open('')
    using target = openRoot(to)
    for (const name of copied.names)
      await copyTree(files, { folder: root, name }, { folder: target, name }, signal, counting)
    signal.throwIfAborted()
    await flushTree(to)
    return copied
  } catch (error) {
    await removeTree(to)
    signal.throwIfAborted()
    throw diskFullRefusal(error) ?? asRefusal(error, '')
  }
}

const noRoom = (needed: number, free: number) => refusal(507, 'software.no-room', { needed, free })
