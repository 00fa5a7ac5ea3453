import { constants, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Opening a FIFO would block forever without this. Windows has none and needs none. */
const NEVER_WAIT = constants.O_NONBLOCK ?? 0

/** Our small files are read whole; a larger one isn't ours. Bytes. */
const MOST_BYTES = 1024 * 1024

type PathKind = 'nothing' | 'file' | 'empty file' | 'something else'

/** Inspects a path without opening it. Folders, FIFOs, devices and broken or circular links are `something else`. */
export function lookAt(file: string): PathKind {
  if (!lstatSync(file, { throwIfNoEntry: false })) return 'nothing'
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return 'something else'
    return stat.size === 0 ? 'empty file' : 'file'
  } catch {
    return 'something else'
  }
}

/** Null if missing. Never blocks. Rejects if it isn't a file, is too large or unreadable. */
export async function readDataFile(file: string, mostBytes = MOST_BYTES): Promise<string | null> {
  const handle = await open(file, constants.O_RDONLY | NEVER_WAIT).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  if (!handle) return null
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error(`${file} is not a file.`)
    if (stat.size > mostBytes) throw new Error(`${file} is larger than any file of this kind.`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Unreadable or invalid content counts as missing: only for data that may be lost, or if the caller reports it. */
export async function readDataJson<T>(
  file: string,
  parse: (value: unknown) => T,
  mostBytes = MOST_BYTES,
): Promise<T | null> {
  try {
    const text = await readDataFile(file, mostBytes)
    return text === null ? null : parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Replaces a small file atomically, readable by this user only. */
export function writeDataFile(file: string, text: string, encoding: BufferEncoding = 'utf8'): void {
  const fresh = `${file}.new`
  // A leftover at this path could be something that blocks writing.
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', encoding })
  try {
    renameSync(fresh, file)
  } catch (error) {
    if (lookAt(file) !== 'something else') throw error
    rmSync(file, { recursive: true, force: true })
    renameSync(fresh, file)
  }
}
