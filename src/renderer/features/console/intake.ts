import type { ConsolePiece } from '../../../contract/bridge/values.ts'
import { formatLineId, parseLineId, type LineId } from '../../../contract/pure/line-ids.ts'
import { lastSeq, sliceBatch } from './line-list.ts'

/** What becomes of a piece that arrived. */
export type Taken =
  /** It goes on right where the last one ended; of a piece that overlaps only what is new is left. */
  | { kind: 'next'; piece: ConsolePiece }
  /** Everything in it was there before. */
  | { kind: 'seen' }
  /** Lines are missing before it; how many, where that can be told. Nothing was taken. */
  | { kind: 'hole'; after: LineId; missing: number | null }

/**
 * Watches over the order of the lines that arrive: within an epoch each id is the one before plus one, a new epoch
 * begins at 0 or 1. Every line gets through once at most, and none is missed unnoticed.
 */
export class Intake {
  #last: LineId | null = null
  /** Epochs that are over; what still arrives of them was there before. */
  readonly #past = new Set<string>()

  /** The newest line that got through. */
  get last(): LineId | null {
    return this.#last
  }

  /** Takes the next piece. With `acrossHoles` a hole before it is not looked at: the caller has dealt with it. */
  take(piece: ConsolePiece, acrossHoles = false): Taken {
    const span = spanOf(piece)
    // A mark that names no line can only be shown where it arrives.
    if (!span) return { kind: 'next', piece }
    const { epoch, from, to } = span
    if (to < from || this.#past.has(epoch)) return { kind: 'seen' }
    const last = this.#last
    if (last && last.epoch === epoch) {
      if (to <= last.seq) return { kind: 'seen' }
      const missing = from - last.seq - 1
      if (missing > 0 && !acrossHoles) return { kind: 'hole', after: last, missing }
      this.#last = { epoch, seq: to }
      return { kind: 'next', piece: missing < 0 ? cutFront(piece, epoch, -missing, last.seq + 1) : piece }
    }
    if (last) {
      if (from > 1 && !acrossHoles) return { kind: 'hole', after: last, missing: null }
      this.#past.add(last.epoch)
    }
    this.#last = { epoch, seq: to }
    return { kind: 'next', piece }
  }
}

/** The lines a piece stands for, first and last number. */
function spanOf(piece: ConsolePiece): { epoch: string; from: number; to: number } | null {
  if (piece.kind === 'lines')
    return { epoch: piece.batch.epoch, from: piece.batch.firstSeq, to: lastSeq(piece.batch) }
  const to = parseLineId(piece.to)
  if (!to) return null
  const from = piece.from === null ? null : parseLineId(piece.from)
  // Where nobody knows from where on lines are gone, it is from where we stand.
  return { epoch: to.epoch, from: from?.epoch === to.epoch ? from.seq : 0, to: to.seq }
}

function cutFront(piece: ConsolePiece, epoch: string, seen: number, next: number): ConsolePiece {
  return piece.kind === 'lines'
    ? { kind: 'lines', batch: sliceBatch(piece.batch, seen) }
    : { kind: 'gap', from: formatLineId({ epoch, seq: next }), to: piece.to }
}
