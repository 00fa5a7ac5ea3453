import type { EncodedLines } from './archive.ts'
import { joinLines, passLines } from './encoded-lines.ts'

export interface RingLimits {
  ringLines: number
  ringBytes: number
  /** Allocation unit. */
  blockBytes: number
}

interface Block {
  first: number
  count: number
  bytes: Buffer
  length: number
  takenLines: number
  takenBytes: number
  /** On disk or given up. */
  settledBytes: number
}

const SPARE_MAX = 8

/** The newest lines, and all that the disk waits for. Blocks are reused, since garbage would let the heap grow. */
export class Ring {
  readonly #limits: RingLimits
  #blocks: Block[] = []
  #spare: Buffer[] = []
  #untaken: Block[] = []
  #inFlight: Block[] = []
  #lines = 0
  #bytes = 0
  #waitingBytes = 0

  constructor(limits: RingLimits) {
    this.#limits = limits
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get first(): number | null {
    return this.#blocks[0]?.first ?? null
  }

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

  /** Copies lines from `seq` on, joined by commas. `maxBytes` is approximate. */
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

  /** Valid until `settle`. */
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
    // UTF-8 takes at most three bytes per UTF-16 unit; larger texts get their own block.
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
