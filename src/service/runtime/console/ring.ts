import type { EncodedLines } from './archive.ts'
import { joinLines, passLines } from './encoded-lines.ts'

export interface RingLimits {
  /** Lines and bytes (encoded) that are kept in memory. */
  ringLines: number
  ringBytes: number
  /** Size of the blocks that memory is taken in. */
  blockBytes: number
}

interface Block {
  first: number
  count: number
  bytes: Buffer
  /** How many of the bytes are filled. */
  length: number
  /** How much of it was taken for the disk, in lines and bytes. */
  takenLines: number
  takenBytes: number
  /** Taken bytes are on disk, or given up. */
  settledBytes: number
}

/** Blocks that are kept for the next lines when they leave the ring. */
const SPARE_MAX = 8

/**
 * The newest lines of a console, encoded, without a hole. Nothing leaves it that the disk still waits for. Its memory is
 * used again and again: lines that come by the thousand leave nothing behind for the garbage collector, which would
 * otherwise let the service grow for a while.
 */
export class Ring {
  readonly #limits: RingLimits
  #blocks: Block[] = []
  #spare: Buffer[] = []
  /** Blocks that hold bytes the disk has not been given. */
  #untaken: Block[] = []
  #inFlight: Block[] = []
  #lines = 0
  #bytes = 0
  /** Bytes that are neither on disk nor given up. */
  #waitingBytes = 0

  constructor(limits: RingLimits) {
    this.#limits = limits
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** The seq of the oldest line; null while there is none. */
  get first(): number | null {
    return this.#blocks[0]?.first ?? null
  }

  /** Adds encoded lines, which follow the last one. */
  add(encoded: string, first: number, count: number): void {
    let block = this.#blocks.at(-1)
    if (!block || !fits(block, encoded)) block = this.#begin(first, encoded)
    const size = block.bytes.write(encoded, block.length)
    if (block.takenBytes === block.length) this.#untaken.push(block)
    block.length += size
    block.count += count
    this.#lines += count
    this.#bytes += size
    this.#waitingBytes += size
    this.#trim()
  }

  /** Lines from `seq` on, joined by commas: at most so many and about so many bytes. The bytes are a copy. */
  read(seq: number, maxLines: number, maxBytes: number): { bytes: Buffer; count: number } {
    const parts: Buffer[] = []
    let count = 0
    let size = 0
    for (let at = this.#blockOf(seq); at < this.#blocks.length && count < maxLines && size < maxBytes; at++) {
      const block = this.#blocks[at]!
      const filled = block.bytes.subarray(0, block.length)
      const start = passLines(filled, 0, seq + count - block.first).end
      const taken = passLines(filled, start, maxLines - count)
      parts.push(filled.subarray(start, taken.end))
      count += taken.lines
      size += taken.end - start
    }
    return { bytes: joinLines(Buffer.concat(parts, size)), count }
  }

  /** All lines that the disk was not given yet. They stay where they are until `settle`. */
  take(): EncodedLines[] {
    this.#inFlight = this.#untaken
    this.#untaken = []
    return this.#inFlight.map((block) => {
      const bytes = block.bytes.subarray(block.takenBytes, block.length)
      const lines = { first: block.first + block.takenLines, count: block.count - block.takenLines, bytes }
      block.takenLines = block.count
      block.takenBytes = block.length
      return lines
    })
  }

  /** What was taken is on disk, or given up. */
  settle(): void {
    for (const block of this.#inFlight) {
      this.#waitingBytes -= block.takenBytes - block.settledBytes
      block.settledBytes = block.takenBytes
    }
    this.#inFlight = []
    this.#trim()
  }

  #begin(first: number, encoded: string): Block {
    const { blockBytes } = this.#limits
    // Three bytes of UTF-8 for each unit of the string at most; larger ones get a block to measure.
    const size =
      encoded.length * 3 <= blockBytes ? blockBytes : Math.max(blockBytes, Buffer.byteLength(encoded))
    const spare = size === blockBytes ? this.#spare.pop() : undefined
    const bytes = spare ?? Buffer.allocUnsafeSlow(size)
    const block = { first, count: 0, bytes, length: 0, takenLines: 0, takenBytes: 0, settledBytes: 0 }
    this.#blocks.push(block)
    return block
  }

  #trim(): void {
    let leaving = 0
    while (leaving < this.#blocks.length - 1) {
      const oldest = this.#blocks[leaving]!
      const isFull = this.#lines > this.#limits.ringLines || this.#bytes > this.#limits.ringBytes
      if (!isFull || oldest.settledBytes < oldest.length) break
      leaving++
      this.#lines -= oldest.count
      this.#bytes -= oldest.length
      if (oldest.bytes.length === this.#limits.blockBytes && this.#spare.length < SPARE_MAX)
        this.#spare.push(oldest.bytes)
    }
    if (leaving > 0) this.#blocks.splice(0, leaving)
  }

  #blockOf(seq: number): number {
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#blocks[middle]!.first <= seq) low = middle
      else high = middle - 1
    }
    return low
  }
}

function fits(block: Block, encoded: string): boolean {
  const free = block.bytes.length - block.length
  return encoded.length * 3 <= free || (encoded.length <= free && Buffer.byteLength(encoded) <= free)
}
