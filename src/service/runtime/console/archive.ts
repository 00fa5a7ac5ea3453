import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs'
import { open, rm, truncate, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { passLines } from './encoded-lines.ts'
import type { LinePosition } from './line-id.ts'

/** Consecutive lines: one JSON object per line, each ending in a line feed. */
export interface EncodedLines {
  first: number
  count: number
  bytes: Buffer
}

/** Lines `first` to `first + count - 1` of an epoch. */
interface Segment {
  epoch: number
  first: number
  /** -1 until read: files of earlier epochs are counted on first use. */
  count: number
  bytes: number
  file: string
  /** Sparse: alternating seq and offset, about every `INDEX_EVERY` bytes. */
  index: number[]
}

export interface Mark {
  file: string
  seq: number
  offset: number
}

export interface ArchiveLimits {
  fileBytes: number
  /** Drops a server's oldest files beyond this total. */
  totalBytes: number
}

const INDEX_EVERY = 64 * 1024
/** More than the longest encoded line: 16 KiB, each byte escaped as six. */
const READ_MIN = 128 * 1024
const LF = 10
const NAME = /^(\d{1,15})-(\d{1,15})\.log$/

/** Append-only `<epoch>-<first seq>.log`. An epoch's last file is replaced by an empty one that marks its end. */
export class Archive {
  readonly #folder: string
  readonly #limits: ArchiveLimits
  readonly #segments: Segment[] = []
  #handle: FileHandle | null = null
  #current: Segment | null = null
  #totalBytes = 0
  #destroyed = false

  constructor(folder: string, limits: ArchiveLimits) {
    this.#folder = folder
    this.#limits = limits
    for (const name of namesIn(folder)) {
      const match = NAME.exec(name)
      if (!match) continue
      const file = join(folder, name)
      const stat = lstatSync(file, { throwIfNoEntry: false })
      // Reading anything but a file could block forever. Its lines are a gap.
      if (!stat?.isFile()) continue
      const bytes = stat.size
      this.#segments.push({
        epoch: Number(match[1]),
        first: Number(match[2]),
        count: -1,
        bytes,
        file,
        index: [],
      })
      this.#totalBytes += bytes
    }
    this.#segments.sort((a, b) => a.epoch - b.epoch || a.first - b.first)
  }

  /** Oldest first. */
  epochs(): number[] {
    return [...new Set(this.#segments.map((segment) => segment.epoch))]
  }

  /** Rejects with the file system's error; blocks written before it count. */
  async write(epoch: number, blocks: readonly EncodedLines[]): Promise<void> {
    // A late write must not recreate a deleted folder.
    if (this.#destroyed) return
    let from = 0
    while (from < blocks.length) {
      const segment = await this.#writable(epoch, blocks[from]!.first)
      let to = from
      let bytes = 0
      while (to < blocks.length && (to === from || segment.bytes + bytes < this.#limits.fileBytes))
        bytes += blocks[to++]!.bytes.length
      await this.#append(segment, blocks.slice(from, to), bytes)
      from = to
    }
    await this.#removeOldest()
  }

  async #append(segment: Segment, blocks: EncodedLines[], bytes: number): Promise<void> {
    const buffers = blocks.map((block) => block.bytes)
    try {
      const { bytesWritten } = await this.#handle!.writev(buffers)
      if (bytesWritten < bytes) {
        const all = Buffer.concat(buffers)
        await this.#handle!.writeFile(all.subarray(bytesWritten))
      }
    } catch (error) {
      await this.#giveUp(segment)
      throw error
    }
    for (const block of blocks) {
      const indexed = segment.index.at(-1)
      if (indexed === undefined || segment.bytes - indexed >= INDEX_EVERY)
        segment.index.push(block.first, segment.bytes)
      segment.count += block.count
      segment.bytes += block.bytes.length
      this.#totalBytes += block.bytes.length
    }
  }

  async #writable(epoch: number, seq: number): Promise<Segment> {
    const current = this.#current
    const goesOn = current && current.epoch === epoch && current.first + current.count === seq
    if (goesOn && current.bytes < this.#limits.fileBytes) return current
    await this.#handle?.close()
    this.#handle = null
    this.#current = null
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, `${epoch}-${seq}.log`)
    this.#handle = await open(file, 'w', 0o600)
    const segment = { epoch, first: seq, count: 0, bytes: 0, file, index: [] }
    this.#segments.push(segment)
    this.#current = segment
    return segment
  }

  /** A failed write may leave half a line: truncate to whole lines and start another file. */
  async #giveUp(segment: Segment): Promise<void> {
    const handle = this.#handle
    this.#handle = null
    this.#current = null
    await handle?.close().catch(() => undefined)
    await truncate(segment.file, segment.bytes).catch(() => undefined)
    if (segment.count === 0) this.#segments.splice(this.#segments.indexOf(segment), 1)
  }

  async #removeOldest(): Promise<void> {
    while (this.#totalBytes > this.#limits.totalBytes) {
      const at = this.#segments.findIndex((segment) => segment.bytes > 0)
      const oldest = this.#segments[at]
      if (!oldest || oldest === this.#current) return
      this.#count(oldest)
      const end = oldest.first + oldest.count
      const isLastOfEpoch = this.#segments[at + 1]?.epoch !== oldest.epoch
      this.#segments.splice(at, 1)
      this.#totalBytes -= oldest.bytes
      await rm(oldest.file, { force: true }).catch(() => undefined)
      if (!isLastOfEpoch) continue
      const file = join(this.#folder, `${oldest.epoch}-${end}.log`)
      await writeFile(file, '', { mode: 0o600 }).catch(() => undefined)
      this.#segments.splice(at, 0, { epoch: oldest.epoch, first: end, count: 0, bytes: 0, file, index: [] })
    }
  }

  seqFrom(position: LinePosition): number | null {
    for (const segment of this.#of(position.epoch)) {
      if (this.#count(segment) === 0) continue
      if (position.seq < segment.first + segment.count) return Math.max(position.seq, segment.first)
    }
    return null
  }

  /** Exclusive end of an epoch; null if unknown. */
  endOf(epoch: number): number | null {
    const last = this.#of(epoch).at(-1)
    return last ? last.first + this.#count(last) : null
  }

  /** Exclusive end of the newest stored file of the epoch wholly before `position`. */
  endBefore(position: LinePosition): number | null {
    for (const segment of this.#of(position.epoch).reverse()) {
      const count = this.#count(segment)
      if (count > 0 && segment.first + count <= position.seq) return segment.first + count
    }
    return null
  }

  /** Number of contiguous stored lines right before `seq`. */
  storedBefore(position: LinePosition, limit: number): number {
    let from = position.seq
    for (const segment of this.#of(position.epoch).reverse()) {
      const end = segment.first + this.#count(segment)
      if (segment.first >= from) continue
      if (end < from) break
      from = segment.first
      if (position.seq - from >= limit) break
    }
    return Math.min(limit, position.seq - from)
  }

  /** `maxBytes` is approximate. Null if the file is gone. */
  async read(
    position: LinePosition,
    mark: Mark | null,
    maxLines: number,
    maxBytes: number,
  ): Promise<{ bytes: Buffer; count: number; mark: Mark } | null> {
    const segment = this.#of(position.epoch).find(
      (s) => s.first <= position.seq && position.seq < s.first + this.#count(s),
    )
    if (!segment) return null
    const known =
      mark?.file === segment.file && mark.seq === position.seq ? mark : nearest(segment, position.seq)
    let { seq, offset } = known
    const handle = await open(segment.file, 'r').catch(() => null)
    if (!handle) return null
    try {
      for (;;) {
        const length = Math.min(Math.max(maxBytes, READ_MIN), segment.bytes - offset)
        if (length <= 0) return null
        const buffer = Buffer.allocUnsafeSlow(length)
        const { bytesRead } = await handle.read(buffer, 0, length, offset)
        if (bytesRead === 0) return null
        const chunk = buffer.subarray(0, bytesRead)
        const skipped = passLines(chunk, 0, position.seq - seq)
        seq += skipped.lines
        offset += skipped.end
        const taken = seq < position.seq ? { lines: 0, end: 0 } : passLines(chunk, skipped.end, maxLines)
        if (taken.lines === 0 && skipped.lines === 0) return null
        if (taken.lines === 0) continue
        const bytes = chunk.subarray(skipped.end, taken.end)
        const next = { file: segment.file, seq: seq + taken.lines, offset: offset + bytes.length }
        return { bytes, count: taken.lines, mark: next }
      }
    } finally {
      await handle.close()
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = null
    this.#current = null
    await handle?.close()
  }

  async destroy(): Promise<void> {
    this.#destroyed = true
    await this.close().catch(() => undefined)
    this.#segments.length = 0
    this.#totalBytes = 0
    await rm(this.#folder, { recursive: true, force: true })
  }

  #of(epoch: number): Segment[] {
    return this.#segments.filter((segment) => segment.epoch === epoch)
  }

  /** Counts and indexes a file of an earlier epoch. Ignores a torn last line. */
  #count(segment: Segment): number {
    if (segment.count >= 0) return segment.count
    let lines = 0
    let end = 0
    let at = 0
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    let file: number
    try {
      file = openSync(segment.file, 'r')
    } catch {
      this.#totalBytes -= segment.bytes
      segment.bytes = 0
      return (segment.count = 0)
    }
    try {
      for (;;) {
        const length = readSync(file, buffer, 0, buffer.length, at)
        if (length === 0) break
        const chunk = buffer.subarray(0, length)
        for (let lf = chunk.indexOf(LF); lf >= 0; lf = chunk.indexOf(LF, lf + 1)) {
          const indexed = segment.index.at(-1)
          if (indexed === undefined || end - indexed >= INDEX_EVERY)
            segment.index.push(segment.first + lines, end)
          lines++
          end = at + lf + 1
        }
        at += length
      }
    } finally {
      closeSync(file)
    }
    segment.bytes = end
    segment.count = lines
    return lines
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Nothing written yet, or unreadable: writing will report it.
    return []
  }
}

function nearest(segment: Segment, seq: number): { seq: number; offset: number } {
  const { index } = segment
  let low = 0
  let high = index.length / 2 - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (index[middle * 2]! <= seq) low = middle
    else high = middle - 1
  }
  return { seq: index[low * 2]!, offset: index[low * 2 + 1]! }
}
