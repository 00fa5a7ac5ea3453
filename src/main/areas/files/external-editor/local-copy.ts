import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TEXT_MOST_BYTES } from '../contents.ts'

export type LocalContent =
  | { kind: 'bytes'; bytes: Buffer; hash: string }
  | { kind: 'large' }
  | { kind: 'moving' }
  | { kind: 'nothing' }

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Never blocks on a pipe and follows no links. Windows has neither flag. */
const HOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Reads a file another program may be writing; rejects content that changed during the read. */
export async function readHere(file: string): Promise<LocalContent> {
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

/** Writes atomically, in a folder only this user can read. */
export async function putHere(
  folder: string,
  name: string,
  bytes: Uint8Array,
  readOnly: boolean,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Outside the folder: inside, it would look like an editor's save.
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

/** Leftovers of editors. Not names that only begin alike: "a.yml.txt", or Emacs' unsaved text in "#a.yml#". */
function isLeaving(entry: string, name: string): boolean {
  const names = [`${name}~`, `.#${name}`, `.~lock.${name}#`, `~$${name}`, '4913', '.DS_Store', 'Thumbs.db']
  return names.includes(entry) || (entry.startsWith(`.${name}.sw`) && entry.length === name.length + 5)
}

/** The file and anything the user saved beside it; the file comes last. */
export async function savedIn(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const saved = entries.filter((entry) => entry.isFile() && !isLeaving(entry.name, name))
  const names = saved.map((entry) => entry.name)
  return [...names.filter((one) => one !== name), ...names.filter((one) => one === name)]
}

/** Holds files while editing ends; later saves still go to the folder. */
const endingOf = (folder: string) => `${folder}.ending`

export async function takeOut(folder: string, name: string): Promise<string> {
  await mkdir(endingOf(folder), { recursive: true, mode: 0o700 })
  const place = join(endingOf(folder), name)
  await rename(join(folder, name), place)
  return place
}

/** Restores unprocessed files, under another name if an editor has saved since. */
export async function putBack(folder: string): Promise<void> {
  const ending = endingOf(folder)
  for (const name of await readdir(ending).catch(() => [])) {
    const isTaken = await lstat(join(folder, name)).catch(() => null)
    await rename(join(ending, name), join(folder, isTaken ? `${randomUUID().slice(0, 8)} ${name}` : name))
  }
  await rmdir(ending).catch(() => undefined)
}

/** Windows doesn't remove read-only files. */
export async function removeFile(file: string): Promise<void> {
  const entry = await lstat(file).catch(() => null)
  if (entry?.isFile()) await chmod(file, 0o600).catch(() => undefined)
  await rm(file, { force: true })
}

/** Removes editors' leftovers. Other files stay, and so does the folder. */
export async function removeFolder(folder: string, name: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (!entry.isDirectory() && isLeaving(entry.name, name)) await removeFile(join(folder, entry.name))
  await rm(`${folder}.part`, { force: true })
  await rmdir(endingOf(folder)).catch(() => undefined)
  await rmdir(folder).catch(() => undefined)
}
