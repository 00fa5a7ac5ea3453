import type { ConsolePiece, StreamedPiece } from '../../../../contract/bridge/values.ts'
import { formatLineId, parseLineId, standsAt, type LineId } from '../../../../contract/rules/line-ids.ts'
import { lastSeq, sliceBatch } from './line-list.ts'

export type SequencedLines =
  /** Follows the last piece; overlap is removed. */
  | { kind: 'next'; piece: ConsolePiece }
  /** `count` lines were skipped; the next piece follows them. */
  | { kind: 'passed'; count: number }
  | { kind: 'seen' }
  /** Lines are missing before it (null: number unknown). The piece was not taken. */
  | { kind: 'hole'; after: LineId; missing: number | null }

const PAST_MOST = 100

/** Ids increase by one within an epoch; a new one starts at 0 or 1. Passes each line at most once, reports gaps. */
export class LineSequencer {
  #last: LineId | null = null
  /** End of lines reported lost; applied when lines after it arrive. */
  #ahead: LineId | null = null
  /** Finished epochs; their lines are duplicates. */
  readonly #past = new Set<string>()

  get last(): LineId | null {
    return this.#last
  }

  /** `acrossHoles` accepts a gap before the piece, which the caller has handled. */
  take(piece: StreamedPiece, acrossHoles = false): SequencedLines {
    if (piece.kind === 'passed') return this.#pass(piece)
    const span = spanOf(piece)
    // A mark without line ids is shown where it arrives.
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

function spanOf(piece: ConsolePiece): { epoch: string; from: number; to: number } | null {
  if (piece.kind === 'lines')
    return { epoch: piece.batch.epoch, from: piece.batch.firstSeq, to: lastSeq(piece.batch) }
  const to = piece.to === null ? null : parseLineId(piece.to)
  if (!to) return null
  const from = piece.from === null ? null : parseLineId(piece.from)
  // Unknown start: from the current position.
  return { epoch: to.epoch, from: from?.epoch === to.epoch ? from.seq : 0, to: to.seq }
}

function cutFront(piece: ConsolePiece, epoch: string, seen: number, next: number): ConsolePiece {
  return piece.kind === 'lines'
    ? { kind: 'lines', batch: sliceBatch(piece.batch, seen) }
    : { kind: 'gap', from: formatLineId({ epoch, seq: next }), to: piece.to }
}
