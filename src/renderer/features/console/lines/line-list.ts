import type { ConsolePiece, LineBatch } from '../../../../contract/bridge/values.ts'
import { formatLineId, type LineId } from '../../../../contract/rules/line-ids.ts'
import { textOf } from './line-text.ts'

/** Shorter batches are merged, to avoid one batch per line on a quiet console. */
const MERGE_BELOW = 512

export type Entry =
  | { kind: 'line'; id: LineId; time: number; text: string; source: LineBatch['sources'][number] | undefined }
  | { kind: 'gap'; from: string | null; to: string | null }

/** Lines in display order, stored by column, without an object per line. A gap counts as one entry. */
export class LineList {
  #pieces: ConsolePiece[] = []
  /** Pieces before this were shifted out; removed in bulk. */
  #head = 0
  /** Batches created here may grow; others are never mutated. */
  readonly #own = new WeakSet<LineBatch>()
  #length = 0

  get length(): number {
    return this.#length
  }

  *pieces(): Generator<ConsolePiece> {
    for (let at = this.#head; at < this.#pieces.length; at++) yield this.#pieces[at]!
  }

  get first(): LineId | null {
    for (const piece of this.pieces())
      if (piece.kind === 'lines') return { epoch: piece.batch.epoch, seq: piece.batch.firstSeq }
    return null
  }

  get last(): LineId | null {
    for (let at = this.#pieces.length - 1; at >= this.#head; at--) {
      const piece = this.#pieces[at]!
      if (piece.kind === 'lines') return { epoch: piece.batch.epoch, seq: lastSeq(piece.batch) }
    }
    return null
  }

  tail(count: number): Entry[] {
    const entries: Entry[] = []
    for (let at = Math.max(0, this.#length - count); at < this.#length; at++) {
      const entry = this.at(at)
      if (entry) entries.push(entry)
    }
    return entries
  }

  *chunks(most: number): Generator<ConsolePiece[]> {
    const all = new LineList()
    all.append(this.pieces())
    while (all.length > 0) yield all.shift(most)
  }

  append(pieces: Iterable<ConsolePiece>): number {
    const before = this.#length
    for (const piece of pieces) this.push(piece)
    return this.#length - before
  }

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

  /** Prepends; `pieces` are oldest first. */
  unshift(pieces: readonly ConsolePiece[]): void {
    this.#pieces = [...pieces, ...this.#pieces.slice(this.#head)]
    this.#head = 0
    for (const piece of pieces) this.#length += sizeOf(piece)
  }

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

  /** Removes up to `count` of the newest entries; returns them oldest first. */
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

  /** Index from the oldest entry, or -1. */
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

export function sizeOf(piece: ConsolePiece): number {
  return piece.kind === 'lines' ? piece.batch.texts.length : 1
}

export function lastSeq(batch: LineBatch): number {
  return batch.firstSeq + batch.texts.length - 1
}

export function lastOf(pieces: readonly ConsolePiece[]): LineId | null {
  const piece = pieces.findLast((one) => one.kind === 'lines')
  return piece?.kind === 'lines' ? { epoch: piece.batch.epoch, seq: lastSeq(piece.batch) } : null
}

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

/** Removes lines from `next` on, within its epoch. */
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

/** Pieces to insert right before `next`: overlap is cut, missing lines become a gap. */
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

/** Whether the pieces contain `next`, or end right before it. */
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
