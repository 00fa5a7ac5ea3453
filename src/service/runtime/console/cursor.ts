import type { ConsoleLog } from './console-log.ts'
import type { Mark } from './archive.ts'
import { joinLines, mendLines } from './encoded-lines.ts'
import { formatLineId } from '../../../contract/rules/line-ids.ts'
import type { LinePosition } from './line-id.ts'

/** What a reader is given: encoded lines joined by commas, or the ids of lines that are gone. */
export type Piece =
  | { kind: 'lines'; bytes: Buffer; count: number }
  /** `from` is null where nobody knows which lines they were. */
  | { kind: 'gap'; from: string | null; to: string }

/** Encoded bytes that are given out at once, about. */
const PIECE_BYTES = 128 * 1024

/**
 * A reader's place in a console. It is two numbers: the lines themselves stay in the ring or on disk until the reader
 * pulls them. Every line after the place is given out exactly once and in order, or told as gone.
 */
export class Cursor {
  readonly #log: ConsoleLog
  #next: LinePosition
  #mark: Mark | null = null
  /** Told once, before anything else: the place that was asked for is none that this console ever gave out. */
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

  /** Whether there is something to read. */
  get ready(): boolean {
    return this.#lost !== null || this.#next.epoch < this.#log.epoch || this.#next.seq <= this.#log.last
  }

  /** The next piece, at most `maxLines`; null where everything has been read. One read at a time. */
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
    // Dropped between looking and reading: the next look tells the gap.
    if (!read) return this.#passGap() ?? this.#unreadable()
    this.#next = { epoch, seq: seq + read.count }
    this.#mark = read.mark
    // What this run wrote it knows; what lay on the disk since an earlier one may be anything.
    const earlier = epoch < this.#log.epoch
    const bytes = earlier ? mendLines(read.bytes, (at) => formatLineId({ epoch, seq: seq + at })) : read.bytes
    return { kind: 'lines', bytes: joinLines(bytes), count: read.count }
  }

  /** Moves on to the next line that is held. Answers the gap, if lines were passed over. */
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
      // Of an epoch of which nothing is left it is not known whether more lines came.
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

  /** A file that is there and cannot be read must not hold up the lines behind it. */
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
