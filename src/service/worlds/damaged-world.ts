import { opendir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { joined } from '../../contract/rules/paths.ts'
import type { OpenedFile, ServerFiles } from '../files/server-files.ts'
import { Refusal } from '../../host/refusal.ts'
import { readWorldSettings } from './server-properties.ts'

const ungzip = promisify(gunzip)
const unzlib = promisify(inflate)

/** Each with its own region files. */
const OF_CHUNKS = ['region', 'entities', 'poi']
const DIMENSIONS_MOST = 30
/** Bytes. The first two contain the chunk locations and times. */
const SECTOR = 4096
const CHUNKS_A_SIDE = 32
/** Compressed and uncompressed bytes of a chunk or `level.dat`. */
const PACKED_MOST = 2 * 1024 * 1024
const WHOLE_MOST = 64 * 1024 * 1024
/** NBT starts with a compound tag. */
const COMPOUND = 10
const GZIP = 1
const ZLIB = 2
/** Flag: the chunk is in its own file. */
const ELSEWHERE = 128

/** Reported files, and total bytes decompressed, per crash. */
const FILES_MOST = 20
const BYTES_MOST = 256 * 1024 * 1024
/** Deflate's maximum ratio. */
const DEFLATED_MOST = 1032
const NAMES_MOST = 1000

interface Allowance {
  signal: AbortSignal
  bytes: number
}

/** What exceeds the budget doesn't count as damaged. Rejects when the signal aborts. */
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

/** A damaged `level.dat` with an intact backup by Minecraft; else null. */
export async function restorableLevel(files: ServerFiles): Promise<string | null> {
  const path = joined((await readWorldSettings(files)).level, 'level.dat')
  // Very large files aren't checked, so they don't count as damaged.
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

/** Minecraft's old layout, the one since 26.1 (also used by mods), and Paper's. */
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
    // Missing, or a file.
    if (error instanceof Refusal || 'code' in (error as object)) return []
    throw error
  }
}

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
  // For other compressions and external files, only presence is checked.
  if (packing >= ELSEWHERE || (packing !== GZIP && packing !== ZLIB)) return packing === 0
  const bytes = await readAt({ handle }, at + 5, length - 1)
  if (bytes === null) return true
  if (left.bytes <= 0) return false
  const most = Math.min(WHOLE_MOST, left.bytes, (bytes.length + 1) * DEFLATED_MOST)
  const unpack = packing === GZIP ? ungzip : unzlib
  // Refunds the unused budget; a failure may have used all.
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
    // Too large to check, so not damaged.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
  }
}

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
