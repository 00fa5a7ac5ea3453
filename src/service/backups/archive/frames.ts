import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, type ZstdOptions, zstdDecompress } from 'node:zlib'

/** What was read back isn't what was written. */
export class ArchiveDamage extends Error {
  override name = 'ArchiveDamage'
}

/** So much of the archive per frame: what has to be unpacked to read one file. */
export const FRAME_BYTES = 4 * 1024 * 1024
/** Packed at once; each needs a thread and twice a frame of memory. */
const AT_ONCE = 2
/** Of what is packed. */
const PIECE_BYTES = 1024 * 1024
/** Of frames that don't get smaller. */
const packedMost = (bytes: number): number => bytes + Math.ceil(bytes / 128) + 1024
export const FRAME_PACKED_MOST = packedMost(FRAME_BYTES)

// Typed as Buffer → Buffer: the overloads lose their options.
const decompress = promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress)

/** Throws `ArchiveDamage`. */
async function unpackFrame(packed: Buffer): Promise<Buffer> {
  try {
    return await decompress(packed, { maxOutputLength: FRAME_BYTES, chunkSize: FRAME_BYTES })
  } catch {
    throw new ArchiveDamage()
  }
}

/** Packs all frames of a lane: zstd's memory is only freed by the garbage collector. */
class Packer {
  readonly #stream = createZstdCompress({
    chunkSize: PIECE_BYTES,
    params: { [constants.ZSTD_c_checksumFlag]: 1 },
  })
  #pieces: Buffer[] = []
  #failed: (error: Error) => void = () => undefined

  constructor() {
    this.#stream.on('data', (piece: Buffer) => this.#pieces.push(piece))
    this.#stream.on('error', (error) => this.#failed(error))
  }

  pack(frame: Buffer): Promise<Buffer[]> {
    return new Promise((resolve, reject) => {
      this.#failed = reject
      this.#stream.write(frame)
      this.#stream.flush(constants.ZSTD_e_end, () => {
        resolve(this.#pieces)
        this.#pieces = []
      })
    })
  }
}

/** Writes bytes as frames of one size, the last one shorter. */
export class FrameWriter {
  readonly #handle: FileHandle
  readonly #wrote: (packedBytes: number) => Promise<void>
  readonly #packing: { packing: Promise<Buffer[]>; from: Buffer }[] = []
  readonly #packers = Array.from({ length: AT_ONCE }, () => new Packer())
  #turn = 0
  #free: Buffer[] = []
  #writing: Promise<void> = Promise.resolve()
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
    await this.#writing
  }

  async #pack(): Promise<void> {
    this.#turn = (this.#turn + 1) % AT_ONCE
    const packing = this.#packers[this.#turn]!.pack(this.#frame.subarray(0, this.#used))
    // The writer may give up before awaiting this one.
    packing.catch(() => undefined)
    this.#packing.push({ packing, from: this.#frame })
    this.#used = 0
    if (this.#packing.length >= AT_ONCE) await this.#next()
    this.#frame = this.#free.pop() ?? Buffer.allocUnsafeSlow(FRAME_BYTES)
  }

  async #next(): Promise<void> {
    const { packing, from } = this.#packing.shift()!
    const packed = await packing
    this.#free.push(from)
    await this.#wrote(packed.reduce((sum, { length }) => sum + length, 0))
    await this.#writing
    // Meanwhile the next one is read and packed.
    this.#writing = writeAll(this.#handle, packed)
    this.#writing.catch(() => undefined)
  }
}

/** `writeFile` would cut them into smaller pieces, and each waits for its turn. */
async function writeAll(handle: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const { bytesWritten } = await handle.write(piece, at, piece.length - at)
      at += bytesWritten
    }
    release(piece)
  }
}

/** At once: until it is collected it would add up. The stream shares what is not full with its next piece. */
function release({ buffer, byteOffset, length }: Buffer): void {
  if (
    buffer instanceof ArrayBuffer &&
    buffer.byteLength === PIECE_BYTES &&
    byteOffset + length === PIECE_BYTES
  )
    buffer.transfer(0)
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
