import { opendir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { joined } from '../../contract/rules/paths.ts'
import type { OpenedFile, ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../base/refusal.ts'
import { readWorldSettings } from './server-properties.ts'

const ungzip = promisify(gunzip)
const unzlib = promisify(inflate)

/** What the chunks of a dimension are kept in, each in files of their own. */
const OF_CHUNKS = ['region', 'entities', 'poi']
/** Dimensions that are looked at, with those that mods add. */
const DIMENSIONS_MOST = 30
/** Region files are made of these, in bytes; the first two hold where the chunks are. */
const SECTOR = 4096
const CHUNKS_A_SIDE = 32
/** Bytes that a chunk or a `level.dat` has at most, packed and not. */
const PACKED_MOST = 2 * 1024 * 1024
const WHOLE_MOST = 64 * 1024 * 1024
/** How the data of the game begin: a compound tag. */
const COMPOUND = 10
const GZIP = 1
const ZLIB = 2
/** The chunk lies in a file of its own. */
const ELSEWHERE = 128

/** Damaged files that are named of one crash, and bytes to which chunks are inflated for it, together. */
const FILES_MOST = 20
const BYTES_MOST = 256 * 1024 * 1024
/** What is deflated is at most so many times as large as before, by its format. */
const DEFLATED_MOST = 1032
/** Names of a folder that are read: more dimensions than that are not looked at. */
const NAMES_MOST = 1000

/** How much may still be looked at. */
interface Allowance {
  signal: AbortSignal
  bytes: number
}

/**
 * The files of a world in which a chunk cannot be read; paths in the server's folder, at most a few. What is too much to look
 * at is not called damaged. Rejects when the signal aborts.
 */
export async function damagedRegions(
  files: ServerFiles,
  { x, z }: { x: number; z: number },
  signal: AbortSignal,
): Promise<string[]> {
  const left: Allowance = { signal, bytes: BYTES_MOST }
  const name = `r.${Math.floor(x / CHUNKS_A_SIDE)}.${Math.floor(z / CHUNKS_A_SIDE)}.mca`
  const { level } = await readWorldSettings(files)
  const found: string[] = []
  for (const dimension of await dimensionsOf(files, level))
    for (const folder of OF_CHUNKS) {
      signal.throwIfAborted()
      if (found.length >= FILES_MOST) return found
      const path = joined(joined(dimension, folder), name)
      if (await within(files, path, (file) => isDamaged(file, { x, z }, left))) found.push(path)
    }
  return found
}

/** The world's damaged `level.dat`, where the copy beside it that Minecraft keeps is whole; else null. */
export async function restorableLevel(files: ServerFiles): Promise<string | null> {
  const path = joined((await readWorldSettings(files)).level, 'level.dat')
  // Nobody looks into one that is very large: it is not called damaged.
  const stays = (file: OpenedFile) =>
    file.stat.size > BigInt(PACKED_MOST) ? Promise.resolve(true) : isLevel(file)
  if (await within(files, path, stays)) return null
  return (await within(files, `${path}_old`, isLevel)) ? path : null
}

async function isLevel({ handle, stat }: OpenedFile): Promise<boolean> {
  if (stat.size > BigInt(PACKED_MOST)) return false
  const bytes = await readAt({ handle }, 0, Number(stat.size))
  return bytes !== null && (await holdsData(() => ungzip(bytes, { maxOutputLength: WHOLE_MOST })))
}

/** Where dimensions are: Minecraft's own since the beginning and since 26.1, with those of mods, and what Paper makes of them. */
async function dimensionsOf(files: ServerFiles, level: string): Promise<string[]> {
  const own = [level, `${level}/DIM-1`, `${level}/DIM1`, `${level}_nether/DIM-1`, `${level}_the_end/DIM1`]
  const named = joined(level, 'dimensions')
  const spaces = (await namesIn(files, named)).slice(0, DIMENSIONS_MOST)
  const others: string[] = []
  for (const space of spaces)
    for (const name of await namesIn(files, joined(named, space)))
      if (others.length < DIMENSIONS_MOST) others.push(joined(joined(named, space), name))
  return [...own, ...others]
}

async function namesIn(files: ServerFiles, path: string): Promise<string[]> {
  try {
    using folder = files.open(path)
    const names: string[] = []
    for await (const { name } of await opendir(folder.itself)) if (names.push(name) >= NAMES_MOST) break
    return names.sort()
  } catch (error) {
    // A file stands there, or nothing.
    if (error instanceof Refusal || 'code' in (error as object)) return []
    throw error
  }
}

/** What a look at a file says; false where there is none that can be opened. */
async function within(
  files: ServerFiles,
  path: string,
  look: (file: OpenedFile) => Promise<boolean>,
): Promise<boolean> {
  let file: OpenedFile
  try {
    file = await files.openRead(path)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
  await using _ = file.handle
  return await look(file)
}

/** Whether a chunk that a region file names cannot be read from it. */
async function isDamaged(
  { handle, stat }: OpenedFile,
  { x, z }: { x: number; z: number },
  left: Allowance,
): Promise<boolean> {
  const size = Number(stat.size)
  if (size === 0) return false
  const index = (x & (CHUNKS_A_SIDE - 1)) + (z & (CHUNKS_A_SIDE - 1)) * CHUNKS_A_SIDE
  const place = size < 2 * SECTOR ? null : await readAt({ handle }, index * 4, 4)
  if (place === null) return true
  const [sector, count] = [place.readUIntBE(0, 3), place.readUInt8(3)]
  if (sector === 0 && count === 0) return false
  const at = sector * SECTOR
  const head = sector < 2 || at + 5 > size ? null : await readAt({ handle }, at, 5)
  if (head === null) return true
  const [length, packing] = [head.readUInt32BE(0), head.readUInt8(4)]
  if (length < 1 || length + 4 > count * SECTOR || at + 4 + length > size) return true
  // Of other ways of packing, and of chunks in files of their own, that they are there is all that is looked at.
  if (packing >= ELSEWHERE || (packing !== GZIP && packing !== ZLIB)) return packing === 0
  const bytes = await readAt({ handle }, at + 5, length - 1)
  if (bytes === null) return true
  if (left.bytes <= 0) return false
  const most = Math.min(WHOLE_MOST, left.bytes, (bytes.length + 1) * DEFLATED_MOST)
  const unpack = packing === GZIP ? ungzip : unzlib
  // Given back is what it did not take; what fails may have taken all of it.
  left.bytes -= most
  return !(await holdsData(async () => {
    const whole = await unpack(bytes, { maxOutputLength: most })
    left.bytes += most - whole.length
    return whole
  }))
}

async function holdsData(unpack: () => Promise<Buffer>): Promise<boolean> {
  try {
    return (await unpack())[0] === COMPOUND
  } catch (error) {
    // Nobody looked into what is larger than that: it is not called damaged.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
  }
}

/** So many bytes from there on; null where there are fewer. */
async function readAt({ handle }: Pick<OpenedFile, 'handle'>, at: number, length: number) {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, at + read)
    if (bytesRead === 0) return null
    read += bytesRead
  }
  return bytes
}
