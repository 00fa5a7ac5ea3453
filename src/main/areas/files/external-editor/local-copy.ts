import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TEXT_MOST_BYTES } from '../text.ts'

/** What stands where an editor saves, at this moment. */
export type Here =
  | { kind: 'bytes'; bytes: Buffer; hash: string }
  /** Larger than what is sent back. */
  | { kind: 'large' }
  /** It is being written, or was put elsewhere a moment ago: to be looked at again. */
  | { kind: 'moving' }
  | { kind: 'nothing' }

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Never waits for another program, and follows no link. Windows knows neither. */
const HOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Reads a file that another program may be writing: only what is the same before and after is believed. */
export async function readHere(file: string): Promise<Here> {
  const handle = await open(file, HOW).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  if (!handle) return { kind: 'nothing' }
  try {
    const before = await handle.stat({ bigint: true })
    if (!before.isFile()) return { kind: 'nothing' }
    if (before.size > TEXT_MOST_BYTES) return { kind: 'large' }
    const bytes = Buffer.alloc(Number(before.size) + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
      length += bytesRead
      if (bytesRead === 0 || length === bytes.length) break
    }
    const after = await handle.stat({ bigint: true })
    const named = await lstat(file, { bigint: true }).catch(() => null)
    const isSame = after.size === before.size && after.mtimeNs === before.mtimeNs && named?.ino === before.ino
    if (!isSame || BigInt(length) !== before.size) return { kind: 'moving' }
    const whole = bytes.subarray(0, length)
    return { kind: 'bytes', bytes: whole, hash: hashOf(whole) }
  } finally {
    await handle.close()
  }
}

/** Puts a file where an editor finds it, in a folder that is this user's alone: whole or not at all. */
export async function putHere(
  folder: string,
  name: string,
  bytes: Uint8Array,
  readOnly: boolean,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Beside the folder: within it, a part would look like something that an editor saved.
  const part = `${folder}.part`
  await rm(part, { force: true })
  const handle = await open(part, 'wx', readOnly ? 0o400 : 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, join(folder, name))
}

/**
 * Whether editors leave this beside a file by themselves: copies of what was there before, locks, and what Vim swaps to. Names that
 * merely begin like the file's are a person's own: some programs save "a.yml" as "a.yml.txt", and Emacs keeps in "#a.yml#" what
 * nobody saved yet.
 */
function isLeaving(entry: string, name: string): boolean {
  const names = [`${name}~`, `.#${name}`, `.~lock.${name}#`, `~$${name}`, '4913', '.DS_Store', 'Thumbs.db']
  return names.includes(entry) || (entry.startsWith(`.${name}.sw`) && entry.length === name.length + 5)
}

/** What no editor leaves by itself: the file, and what a person saved beside it under another name. The file comes last. */
export async function savedIn(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const saved = entries.filter((entry) => entry.isFile() && !isLeaving(entry.name, name))
  const names = saved.map((entry) => entry.name)
  return [...names.filter((one) => one !== name), ...names.filter((one) => one === name)]
}

/** Where files go while editing ends: what an editor saves from then on comes to lie in the folder, and not here. */
const endingOf = (folder: string) => `${folder}.ending`

/** Takes a file out of the folder; answers where it lies now. */
export async function takeOut(folder: string, name: string): Promise<string> {
  await mkdir(endingOf(folder), { recursive: true, mode: 0o700 })
  const place = join(endingOf(folder), name)
  await rename(join(folder, name), place)
  return place
}

/** Puts back what was taken out and not dealt with. Where an editor saved since, it gets another name. */
export async function putBack(folder: string): Promise<void> {
  const ending = endingOf(folder)
  for (const name of await readdir(ending).catch(() => [])) {
    const isTaken = await lstat(join(folder, name)).catch(() => null)
    await rename(join(ending, name), join(folder, isTaken ? `${randomUUID().slice(0, 8)} ${name}` : name))
  }
  await rmdir(ending).catch(() => undefined)
}

/** Removes a file. Windows removes none that may only be read. */
export async function removeFile(file: string): Promise<void> {
  const entry = await lstat(file).catch(() => null)
  if (entry?.isFile()) await chmod(file, 0o600).catch(() => undefined)
  await rm(file, { force: true })
}

/** Removes what editors left beside the file. What else lies there stays, and the folder with it. */
export async function removeFolder(folder: string, name: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (!entry.isDirectory() && isLeaving(entry.name, name)) await removeFile(join(folder, entry.name))
  await rm(`${folder}.part`, { force: true })
  await rmdir(endingOf(folder)).catch(() => undefined)
  await rmdir(folder).catch(() => undefined)
}
