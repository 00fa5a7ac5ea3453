import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, type ZstdOptions, zstdCompress, zstdDecompress } from 'node:zlib'
import { ArchiveDamage } from './damaged.ts'

/** So much of the archive per frame: what has to be unpacked to read one file. */
export const FRAME_BYTES = 4 * 1024 * 1024
/** Packed at once; each needs a thread and twice a frame of memory. */
const AT_ONCE = 2
/** Of frames that don't get smaller. */
const packedMost = (bytes: number): number => bytes + Math.ceil(bytes / 128) + 1024
export const FRAME_PACKED_MOST = packedMost(FRAME_BYTES)

// Typed as Buffer → Buffer: the overloads lose their options.
const compress = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)
const decompress = promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress)

export const packFrame = (bytes: Buffer): Promise<Buffer> =>
  compress(bytes, {
    // All at once: pieces would be kept until they are joined.
    chunkSize: packedMost(bytes.length),
    pledgedSrcSize: bytes.length,
    params: { [constants.ZSTD_c_checksumFlag]: 1 },
  })

/** Throws `ArchiveDamage`. */
async function unpackFrame(packed: Buffer): Promise<Buffer> {
  try {
    return await decompress(packed, { maxOutputLength: FRAME_BYTES, chunkSize: FRAME_BYTES })
  } catch {
    throw new ArchiveDamage()
  }
}

/** Writes bytes as frames of one size, the last one shorter. */
export class FrameWriter {
  readonly #handle: FileHandle
  readonly #wrote: (packedBytes: number) => Promise<void>
  readonly #packing: { packed: Promise<Buffer>; from: Buffer }[] = []
  #free: Buffer[] = []
  #frame: Buffer = Buffer.allocUnsafeSlow(FRAME_BYTES)
  #used = 0
  /** Of the unpacked archive. */
  at = 0

  constructor(handle: FileHandle, wrote: (packedBytes: number) => Promise<void>) {
    this.#handle = handle
    this.#wrote = wrote
  }

  async write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const copied = bytes.copy(this.#frame, this.#used, from)
      from += copied
      this.#used += copied
      this.at += copied
      if (this.#used === FRAME_BYTES) await this.#pack()
    }
  }

  async end(): Promise<void> {
    if (this.#used > 0) await this.#pack()
    while (this.#packing.length > 0) await this.#next()
  }

  async #pack(): Promise<void> {
    const packed = packFrame(this.#frame.subarray(0, this.#used))
    // The writer may give up before awaiting this one.
    packed.catch(() => undefined)
    this.#packing.push({ packed, from: this.#frame })
    this.#used = 0
    if (this.#packing.length >= AT_ONCE) await this.#next()
    this.#frame = this.#free.pop() ?? Buffer.allocUnsafeSlow(FRAME_BYTES)
  }

  async #next(): Promise<void> {
    const { packed, from } = this.#packing.shift()!
    const bytes = await packed
    this.#free.push(from)
    await this.#handle.writeFile(bytes)
    await this.#wrote(bytes.length)
  }
}

/** Reads any part of what a FrameWriter wrote. Throws `ArchiveDamage`. */
export class FrameReader {
  readonly #handle: FileHandle
  readonly #packed: readonly number[]
  readonly #starts: readonly number[]
  #read = new Map<number, Promise<Buffer>>()

  /** @param packed size of each frame in the file */
  constructor(handle: FileHandle, packed: readonly number[]) {
    this.#handle = handle
    this.#packed = packed
    let start = 0
    this.#starts = packed.map((bytes) => (start += bytes) - bytes)
  }

  /** Chunks are valid until the next one is asked for. */
  async *bytes(at: number, length: number): AsyncGenerator<Buffer> {
    for (let [from, left] = [at, length]; left > 0;) {
      const index = Math.floor(from / FRAME_BYTES)
      const frame = await this.#frame(index)
      const begin = from - index * FRAME_BYTES
      const chunk = frame.subarray(begin, begin + left)
      if (chunk.length === 0) throw new ArchiveDamage()
      from += chunk.length
      left -= chunk.length
      yield chunk
    }
  }

  /** Keeps the last one, and reads ahead. */
  async #frame(index: number): Promise<Buffer> {
    const frame = this.#read.get(index) ?? this.#load(index)
    const next = this.#read.get(index + 1)
    this.#read = new Map([[index, frame], ...(next ? [[index + 1, next] as const] : [])])
    const bytes = await frame
    const isLast = index === this.#packed.length - 1
    if (!isLast && bytes.length !== FRAME_BYTES) throw new ArchiveDamage()
    return bytes
  }

  /** For reading everything in order. */
  ahead(at: number): void {
    const index = Math.floor(at / FRAME_BYTES) + 1
    if (index >= this.#packed.length || this.#read.has(index)) return
    const frame = this.#load(index)
    frame.catch(() => undefined)
    this.#read.set(index, frame)
  }

  async #load(index: number): Promise<Buffer> {
    const [start, length] = [this.#starts[index], this.#packed[index]]
    if (start === undefined || length === undefined) throw new ArchiveDamage()
    const packed = Buffer.allocUnsafe(length)
    let at = 0
    while (at < length) {
      const { bytesRead } = await this.#handle.read(packed, at, length - at, start + at)
      if (bytesRead === 0) throw new ArchiveDamage()
      at += bytesRead
    }
    return unpackFrame(packed)
  }
}
