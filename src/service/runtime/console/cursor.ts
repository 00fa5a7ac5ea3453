import type { ConsoleLog } from './console-log.ts'
import type { Mark } from './archive.ts'
import { joinLines, mendLines } from './encoded-lines.ts'
import { formatLineId } from '../../../contract/rules/line-ids.ts'
import type { LinePosition } from './line-id.ts'

/** Encoded lines joined by commas, or the ids of missing lines. */
export type Piece =
  | { kind: 'lines'; bytes: Buffer; count: number }
  /** `from` is null if unknown. */
  | { kind: 'gap'; from: string | null; to: string }

const PIECE_BYTES = 128 * 1024

/** A reader's position. Each later line is delivered exactly once and in order, or reported as missing. */
export class Cursor {
  readonly #log: ConsoleLog
  #next: LinePosition
  #mark: Mark | null = null
  /** Reported first: the requested position never existed. */
  #lost: Piece | null = null

  constructor(log: ConsoleLog, after: LinePosition | null) {
    this.#log = log
    const now = { epoch: log.epoch, seq: log.last + 1 }
    const ahead = after && (after.epoch > now.epoch || (after.epoch === now.epoch && after.seq >= now.seq))
    if (after && !ahead) {
      this.#next = { epoch: after.epoch, seq: after.seq + 1 }
    } else {
      this.#next = now
      const isNewest = after?.epoch === now.epoch && after.seq === log.last
      if (after && !isNewest)
        this.#lost = { kind: 'gap', from: null, to: formatLineId({ ...now, seq: log.last }) }
    }
  }

  get ready(): boolean {
    return this.#lost !== null || this.#next.epoch < this.#log.epoch || this.#next.seq <= this.#log.last
  }

  /** Null at the end. One read at a time. */
  read(maxLines: number): Piece | null | Promise<Piece | null> {
    if (this.#lost) {
      const lost = this.#lost
      this.#lost = null
      return lost
    }
    if (!this.ready) return null
    const log = this.#log
    if (this.#next.epoch === log.epoch && this.#next.seq >= log.ringFirst) return this.#readRing(maxLines)
    return this.#readDisk(maxLines)
  }

  #readRing(maxLines: number): Piece {
    const { bytes, count } = this.#log.fromRing(this.#next.seq, maxLines, PIECE_BYTES)
    this.#next = { epoch: this.#next.epoch, seq: this.#next.seq + count }
    this.#mark = null
    return { kind: 'lines', bytes, count }
  }

  async #readDisk(maxLines: number): Promise<Piece | null> {
    const gap = this.#passGap()
    if (gap) return gap
    if (!this.ready) return null
    if (this.#next.epoch === this.#log.epoch && this.#next.seq >= this.#log.ringFirst)
      return this.#readRing(maxLines)
    const { epoch, seq } = this.#next
    const read = await this.#log.archive.read(this.#next, this.#mark, maxLines, PIECE_BYTES)
    // Dropped in between; the next call reports the gap.
    if (!read) return this.#passGap() ?? this.#unreadable()
    this.#next = { epoch, seq: seq + read.count }
    this.#mark = read.mark
    // Lines of this run are known; files of earlier runs can be damaged.
    const earlier = epoch < this.#log.epoch
    const bytes = earlier ? mendLines(read.bytes, (at) => formatLineId({ epoch, seq: seq + at })) : read.bytes
    return { kind: 'lines', bytes: joinLines(bytes), count: read.count }
  }

  /** Skips to the next stored line and returns the gap, if any. */
  #passGap(): Piece | null {
    let position = this.#next
    let from: LinePosition | null = null
    for (;;) {
      const held = this.#heldFrom(position)
      if (held !== null) {
        if (held > position.seq) from ??= position
        position = { epoch: position.epoch, seq: held }
        break
      }
      if (position.epoch >= this.#log.epoch) break
      const end = this.#log.archive.endOf(position.epoch)
      // Nothing is left of this epoch, so it may have had more lines.
      if (end === null || position.seq < end) from ??= position
      position = { epoch: this.#epochAfter(position.epoch), seq: 1 }
    }
    this.#next = position
    return (
      from && {
        kind: 'gap',
        from: formatLineId(from),
        to: formatLineId({ epoch: position.epoch, seq: position.seq - 1 }),
      }
    )
  }

  /** An unreadable file must not block the lines after it. */
  #unreadable(): Piece {
    const from = this.#next
    const to = { epoch: from.epoch, seq: from.seq }
    this.#next = { epoch: from.epoch, seq: from.seq + 1 }
    return { kind: 'gap', from: formatLineId(from), to: formatLineId(to) }
  }

  #heldFrom(position: LinePosition): number | null {
    const stored = this.#log.archive.seqFrom(position)
    if (position.epoch !== this.#log.epoch) return stored
    const ring = Math.max(position.seq, this.#log.ringFirst)
    return stored === null ? ring : Math.min(stored, ring)
  }

  #epochAfter(epoch: number): number {
    return this.#log.archive.epochs().find((known) => known > epoch) ?? this.#log.epoch
  }
}
