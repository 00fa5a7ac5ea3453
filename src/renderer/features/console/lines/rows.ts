import type { ConsolePiece } from '../../../../contract/bridge/values.ts'
import { textOf, type LineStyle } from './line-text.ts'

/** Upper bound of rows per entry: non-ASCII may be two columns wide, and leave a column empty at the edge. */
export function rowsOf(
  pieces: Iterable<ConsolePiece>,
  length: number,
  columns: number,
  style: LineStyle,
): Uint32Array {
  const rows = new Uint32Array(length)
  const before = style.clock ? style.clock(0).length + 3 : 2
  let at = 0
  for (const piece of pieces) {
    if (piece.kind === 'gap') rows[at++] = Math.ceil(120 / (columns - 1))
    else
      for (let line = 0; line < piece.batch.texts.length; line++) {
        const text = textOf(piece.batch, line)
        const wide = PLAIN.test(text) ? text.length : text.length * 4
        rows[at++] = Math.max(1, Math.ceil((wide + before) / (columns - 1)))
      }
  }
  return rows
}

const PLAIN = /^[ -~]*$/

/** The entries around `at` whose rows fit into `reach` on each side; `end` is exclusive. */
export function reachAround(rows: Uint32Array, at: number, reach: number): { start: number; end: number } {
  let start = at
  for (let sum = 0; start > 0 && sum < reach; start--) sum += rows[start - 1]!
  let end = at
  for (let sum = 0; end < rows.length && sum < reach; end++) sum += rows[end]!
  return { start, end }
}
