import type { ConsolePiece, StreamedPiece } from '../../../../contract/bridge/values.ts'
import { formatLineId, parseLineId, standsAt, type LineId } from '../../../../contract/rules/line-ids.ts'
import { lastSeq, sliceBatch } from './line-list.ts'

/** What becomes of a piece that arrived. */
export type SequencedLines =
  /** It goes on right where the last one ended; of a piece that overlaps only what is new is left. */
  | { kind: 'next'; piece: ConsolePiece }
  /** It stands for lines that are not sent: so many. What comes next goes on behind them. */
  | { kind: 'passed'; count: number }
  /** Everything in it was there before. */
  | { kind: 'seen' }
  /** Lines are missing before it; how many, where that can be told. Nothing was taken. */
  | { kind: 'hole'; after: LineId; missing: number | null }

/** Epochs that are over and remembered, at most. */
const PAST_MOST = 100

/**
 * Watches over the order of the lines that arrive: within an epoch each id is the one before plus one, a new epoch
 * begins at 0 or 1. Every line gets through once at most, and none is missed unnoticed.
 */
export class LineSequencer {
  #last: LineId | null = null
  /** How far lines are said to be gone; that counts once lines come behind it. */
  #ahead: LineId | null = null
  /** Epochs that are over; what still arrives of them was there before. */
  readonly #past = new Set<string>()

  /** The newest line that got through. */
  get last(): LineId | null {
    return this.#last
  }

  /** Takes the next piece. With `acrossHoles` a hole before it is not looked at: the caller has dealt with it. */
  take(piece: StreamedPiece, acrossHoles = false): SequencedLines {
    if (piece.kind === 'passed') return this.#pass(piece)
    const span = spanOf(piece)
    // A mark that names no line can only be shown where it arrives.
    if (!span) return { kind: 'next', piece }
    const { epoch, from, to } = span
    if (to < from || this.#past.has(epoch)) return { kind: 'seen' }
    if (piece.kind === 'lines' && !(this.#last?.epoch === epoch && to <= this.#last.seq)) {
      this.#goTo(standsAt(this.#last, this.#ahead, { epoch, seq: from }))
      this.#ahead = null
    }
    const last = this.#ahead?.epoch === epoch ? this.#ahead : this.#last
    const same = last?.epoch === epoch
    if (same && to <= last.seq) return { kind: 'seen' }
    const missing = same ? from - last.seq - 1 : null
    if (last && !acrossHoles && (missing === null ? from > 1 : missing > 0))
      return { kind: 'hole', after: last, missing }
    if (piece.kind === 'lines') this.#goTo({ epoch, seq: to })
    else this.#ahead = { epoch, seq: to }
    const seen = same && from <= last.seq ? last.seq + 1 - from : 0
    return { kind: 'next', piece: seen > 0 ? cutFront(piece, epoch, seen, from + seen) : piece }
  }

  #pass({ to, count }: Extract<StreamedPiece, { kind: 'passed' }>): SequencedLines {
    const end = parseLineId(to)
    const last = this.#last
    if (!end || this.#past.has(end.epoch) || (last?.epoch === end.epoch && end.seq <= last.seq))
      return { kind: 'seen' }
    this.#goTo(end)
    this.#ahead = null
    return { kind: 'passed', count }
  }

  #goTo(next: LineId | null): void {
    const last = this.#last
    this.#last = next
    if (!last || last.epoch === next?.epoch) return
    this.#past.add(last.epoch)
    for (const epoch of this.#past) {
      if (this.#past.size <= PAST_MOST) return
      this.#past.delete(epoch)
    }
  }
}

/** The lines a piece stands for, first and last number. */
function spanOf(piece: ConsolePiece): { epoch: string; from: number; to: number } | null {
  if (piece.kind === 'lines')
    return { epoch: piece.batch.epoch, from: piece.batch.firstSeq, to: lastSeq(piece.batch) }
  const to = piece.to === null ? null : parseLineId(piece.to)
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
