import type { ConsolePiece, LineBatch } from '../../../../contract/bridge/values.ts'
import { formatLineId, type LineId } from '../../../../contract/rules/line-ids.ts'
import { textOf } from './line-text.ts'

/** Batches shorter than this are copied together, so that a quiet console does not end up with one batch a line. */
const MERGE_BELOW = 512

/** One entry of a list: a line, or the mark where lines are gone. */
export type Entry =
  | { kind: 'line'; id: LineId; time: number; text: string; source: LineBatch['sources'][number] | undefined }
  | { kind: 'gap'; from: string | null; to: string | null }

/**
 * Lines in the order they are shown, in the columns they came in: nothing is made per line. A gap counts as one entry,
 * because it takes one line on the screen.
 */
export class LineList {
  #pieces: ConsolePiece[] = []
  /** Pieces before this one were shifted out; they are cut off now and then, not each time. */
  #head = 0
  /** Batches made here, which can grow; those of others are never written to. */
  readonly #own = new WeakSet<LineBatch>()
  #length = 0

  /** Entries in the list. */
  get length(): number {
    return this.#length
  }

  /** The pieces from the oldest to the newest. */
  *pieces(): Generator<ConsolePiece> {
    for (let at = this.#head; at < this.#pieces.length; at++) yield this.#pieces[at]!
  }

  /** The oldest line's id; null where there is no line. */
  get first(): LineId | null {
    for (const piece of this.pieces())
      if (piece.kind === 'lines') return { epoch: piece.batch.epoch, seq: piece.batch.firstSeq }
    return null
  }

  /** The newest line's id; null where there is no line. */
  get last(): LineId | null {
    for (let at = this.#pieces.length - 1; at >= this.#head; at--) {
      const piece = this.#pieces[at]!
      if (piece.kind === 'lines') return { epoch: piece.batch.epoch, seq: lastSeq(piece.batch) }
    }
    return null
  }

  /** The newest `count` entries, oldest first. */
  tail(count: number): Entry[] {
    const entries: Entry[] = []
    for (let at = Math.max(0, this.#length - count); at < this.#length; at++) {
      const entry = this.at(at)
      if (entry) entries.push(entry)
    }
    return entries
  }

  /** All entries in pieces of `most` at a time. */
  *chunks(most: number): Generator<ConsolePiece[]> {
    const all = new LineList()
    all.append(this.pieces())
    while (all.length > 0) yield all.shift(most)
  }

  /** Adds at the new end; answers how many entries that were. */
  append(pieces: Iterable<ConsolePiece>): number {
    const before = this.#length
    for (const piece of pieces) this.push(piece)
    return this.#length - before
  }

  /** Adds at the new end. */
  push(piece: ConsolePiece): void {
    this.#length += sizeOf(piece)
    if (piece.kind === 'lines' && piece.batch.texts.length < MERGE_BELOW) {
      const end = this.#pieces.at(-1)
      const last = this.#pieces.length > this.#head && end?.kind === 'lines' ? end.batch : null
      if (last && this.#own.has(last) && last.texts.length < MERGE_BELOW && adjoins(last, piece.batch)) {
        copyLines(last, piece.batch, 0, piece.batch.texts.length)
        return
      }
      const batch: LineBatch = { ...piece.batch, times: [], texts: [], sources: {} }
      copyLines(batch, piece.batch, 0, piece.batch.texts.length)
      this.#own.add(batch)
      this.#pieces.push({ kind: 'lines', batch })
      return
    }
    this.#pieces.push(piece)
  }

  /** Adds at the old end; `pieces` are oldest first. */
  unshift(pieces: readonly ConsolePiece[]): void {
    this.#pieces = [...pieces, ...this.#pieces.slice(this.#head)]
    this.#head = 0
    for (const piece of pieces) this.#length += sizeOf(piece)
  }

  /** Takes up to `count` entries off the old end. */
  shift(count: number): ConsolePiece[] {
    const taken: ConsolePiece[] = []
    let left = Math.min(count, this.#length)
    this.#length -= left
    while (left > 0) {
      const piece = this.#pieces[this.#head]!
      const size = sizeOf(piece)
      if (size <= left) {
        taken.push(piece)
        this.#head += 1
        left -= size
        continue
      }
      const [front, back] = split(piece, left)
      taken.push(front)
      this.#pieces[this.#head] = back
      left = 0
    }
    if (this.#head > 64 && this.#head * 2 > this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#head)
      this.#head = 0
    }
    return taken
  }

  /** Takes up to `count` entries off the new end; they come oldest first. */
  pop(count: number): ConsolePiece[] {
    const taken: ConsolePiece[] = []
    let left = Math.min(count, this.#length)
    this.#length -= left
    while (left > 0) {
      const piece = this.#pieces.pop()!
      const size = sizeOf(piece)
      if (size <= left) {
        taken.unshift(piece)
        left -= size
        continue
      }
      const [front, back] = split(piece, size - left)
      taken.unshift(back)
      this.#pieces.push(front)
      left = 0
    }
    return taken
  }

  clear(): void {
    this.#pieces = []
    this.#head = 0
    this.#length = 0
  }

  /** The entry at a place counted from the oldest; undefined outside the list. */
  at(index: number): Entry | undefined {
    let left = index
    if (left < 0) return undefined
    for (const piece of this.pieces()) {
      const size = sizeOf(piece)
      if (left < size) return entryAt(piece, left)
      left -= size
    }
    return undefined
  }

  /** Where a line stands, counted from the oldest entry; -1 where it is not in the list. */
  indexOf(id: LineId): number {
    let before = 0
    for (const piece of this.pieces()) {
      if (piece.kind === 'lines' && piece.batch.epoch === id.epoch) {
        const at = id.seq - piece.batch.firstSeq
        if (at >= 0 && at < piece.batch.texts.length) return before + at
      }
      before += sizeOf(piece)
    }
    return -1
  }
}

/** Entries a piece stands for. */
export function sizeOf(piece: ConsolePiece): number {
  return piece.kind === 'lines' ? piece.batch.texts.length : 1
}

/** The number of the last line of a batch. */
export function lastSeq(batch: LineBatch): number {
  return batch.firstSeq + batch.texts.length - 1
}

/** The last line of some pieces; null where they hold none. */
export function lastOf(pieces: readonly ConsolePiece[]): LineId | null {
  const piece = pieces.findLast((one) => one.kind === 'lines')
  return piece?.kind === 'lines' ? { epoch: piece.batch.epoch, seq: lastSeq(piece.batch) } : null
}

/** The part of a batch from line `start` to before `end`. */
export function sliceBatch(batch: LineBatch, start: number, end = batch.texts.length): LineBatch {
  if (start === 0 && end >= batch.texts.length) return batch
  const part: LineBatch = {
    epoch: batch.epoch,
    firstSeq: batch.firstSeq + start,
    times: batch.times.slice(start, end),
    texts: batch.texts.slice(start, end),
    sources: {},
  }
  for (const key in batch.sources) {
    const at = Number(key)
    if (at >= start && at < end) part.sources[at - start] = batch.sources[at]!
  }
  return part
}

/** Pieces without the lines from `next` on, as far as they are of the same epoch. */
export function cutBefore(pieces: readonly ConsolePiece[], next: LineId | null): ConsolePiece[] {
  const kept: ConsolePiece[] = []
  for (const piece of pieces) {
    if (piece.kind !== 'lines' || piece.batch.epoch !== next?.epoch) {
      kept.push(piece)
      continue
    }
    const batch = sliceBatch(piece.batch, 0, Math.max(0, next.seq - piece.batch.firstSeq))
    if (batch.texts.length > 0) kept.push({ kind: 'lines', batch })
  }
  return kept
}

/** Pieces that shall stand right before `next`: overlap is cut off, and a hole between becomes a gap. */
export function joinBefore(pieces: readonly ConsolePiece[], next: LineId | null): ConsolePiece[] {
  const kept = cutBefore(pieces, next)
  const last = kept.at(-1)
  if (!next || last?.kind !== 'lines' || last.batch.epoch !== next.epoch) return kept
  const seq = lastSeq(last.batch) + 1
  const to = { epoch: next.epoch, seq: next.seq - 1 }
  if (seq <= to.seq)
    kept.push({ kind: 'gap', from: formatLineId({ epoch: next.epoch, seq }), to: formatLineId(to) })
  return kept
}

/** Whether some pieces hold a line, or end right before it. */
export function reaches(pieces: readonly ConsolePiece[], next: LineId): boolean {
  const last = lastOf(pieces)
  return last !== null && last.epoch === next.epoch && last.seq >= next.seq - 1
}

function adjoins(batch: LineBatch, next: LineBatch): boolean {
  return batch.epoch === next.epoch && lastSeq(batch) + 1 === next.firstSeq
}

function copyLines(to: LineBatch, from: LineBatch, start: number, end: number): void {
  const offset = to.texts.length - start
  for (let at = start; at < end; at++) {
    to.times.push(from.times[at] ?? 0)
    to.texts.push(from.texts[at]!)
  }
  for (const key in from.sources) {
    const at = Number(key)
    if (at >= start && at < end) to.sources[at + offset] = from.sources[at]!
  }
}

function split(piece: ConsolePiece, at: number): [ConsolePiece, ConsolePiece] {
  if (piece.kind !== 'lines') throw new Error('A gap is one entry and cannot be split.')
  return [
    { kind: 'lines', batch: sliceBatch(piece.batch, 0, at) },
    { kind: 'lines', batch: sliceBatch(piece.batch, at) },
  ]
}

function entryAt(piece: ConsolePiece, at: number): Entry {
  if (piece.kind === 'gap') return { kind: 'gap', from: piece.from, to: piece.to }
  const { batch } = piece
  return {
    kind: 'line',
    id: { epoch: batch.epoch, seq: batch.firstSeq + at },
    time: batch.times[at] ?? 0,
    text: textOf(batch, at),
    source: batch.sources[at],
  }
}
