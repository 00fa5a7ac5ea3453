import { constants, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Opening a FIFO would wait for another program for ever; with this it never waits. Windows has none and needs none. */
const NEVER_WAIT = constants.O_NONBLOCK ?? 0

/** Small files of ours are read whole; one larger than this holds something else. Bytes. */
const MOST_BYTES = 1024 * 1024

/** What stands at a path where a file of ours belongs. */
export type AtPath = 'nothing' | 'file' | 'empty file' | 'something else'

/** Looks without opening. A folder, a FIFO, a device or a link that leads nowhere or to itself is something else. */
export function lookAt(file: string): AtPath {
  if (!lstatSync(file, { throwIfNoEntry: false })) return 'nothing'
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return 'something else'
    return stat.size === 0 ? 'empty file' : 'file'
  } catch {
    return 'something else'
  }
}

/**
 * Reads a small file of ours; null where there is none. Never waits, whatever stands there. Rejects where it is no file,
 * is too large or cannot be read.
 */
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

/**
 * Reads a small JSON file of ours. What cannot be read or is not what `parse` takes counts as none: only for files
 * whose loss costs nothing but convenience, or whose reader says what it means.
 */
export async function readDataJson<T>(file: string, parse: (value: unknown) => T): Promise<T | null> {
  try {
    const text = await readDataFile(file)
    return text === null ? null : parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Replaces a small file of ours in one step, whatever stood there before. Readable by this user alone. */
export function writeDataFile(file: string, text: string, encoding: BufferEncoding = 'utf8'): void {
  const fresh = `${file}.new`
  // What a crash or somebody else left under this name may be something that writing would wait for.
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
