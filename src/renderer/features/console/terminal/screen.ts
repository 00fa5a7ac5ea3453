import type { Terminal } from '@xterm/xterm'

/** Rows the terminal keeps above the visible ones. More would cost memory and no longer be quicker than paging. */
export const SCROLLBACK_ROWS = 10_000

const HIDE_CURSOR = '\u001b[?25l'
/** Home, erase the screen, erase the scrollback. */
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'
/** What is drawn stays until the end mark, so that rewriting does not flicker. */
const HOLD_DRAWING = '\u001b[?2026h'
const DRAW_AGAIN = '\u001b[?2026l'

/** A place in the terminal: entries counted from the newest (0), and rows into a wrapped line. */
export interface ScrollPosition {
  fromEnd: number
  offset: number
}

/**
 * The terminal as rows of known entries. Every entry begins a row and may wrap into more, so where an entry stands
 * follows from counting the rows that do not continue the one above: nothing is noted down while lines are written.
 */
export class Screen {
  readonly terminal: Terminal
  /** Lines that were written in one go after the other; rewriting does not count. */
  lines = 0
  #empty = true
  #closed = false

  constructor(terminal: Terminal) {
    this.terminal = terminal
    terminal.write(HIDE_CURSOR)
  }

  /** Whether nothing stands in the terminal. */
  get empty(): boolean {
    return this.#empty
  }

  get columns(): number {
    return this.terminal.cols
  }

  get rows(): number {
    return this.terminal.rows
  }

  /** Whether the newest row is in sight. */
  get atBottom(): boolean {
    const buffer = this.terminal.buffer.active
    return buffer.viewportY >= buffer.baseY
  }

  /** Rows above the visible ones. */
  get rowsAbove(): number {
    return this.terminal.buffer.active.viewportY
  }

  /** Rows below the visible ones. */
  get rowsBelow(): number {
    const buffer = this.terminal.buffer.active
    return buffer.baseY - buffer.viewportY
  }

  /** Adds text; `written` is called once the terminal has taken it in. */
  write(text: string, written: () => void): void {
    this.#empty = false
    this.terminal.write(text, written)
  }

  /** Clears, then adds text. */
  restart(text: string, written: () => void): void {
    this.#empty = text === ''
    this.terminal.write(CLEAR + text, written)
  }

  /** Replaces everything without showing what is in between, and shows what `place` says then at the top, or the end. */
  rewrite(texts: readonly string[], place: () => ScrollPosition | 'end'): Promise<void> {
    this.#empty = texts.every((text) => text === '')
    // What was selected stands in other rows afterwards, and another text would be copied.
    this.terminal.clearSelection()
    return new Promise((done) => {
      this.terminal.write(HOLD_DRAWING + CLEAR)
      // Said with each piece: it ends by itself after a second, and a busy computer may need longer.
      for (const text of texts) this.terminal.write(HOLD_DRAWING + text)
      this.terminal.write(DRAW_AGAIN, () => {
        // What was written last is still taken in after the terminal is gone.
        if (this.#closed) return done()
        // Somebody may have begun to follow, or to read, while it was written.
        const position = place()
        if (position === 'end') this.toBottom()
        else this.terminal.scrollToLine(this.rowOf(position))
        done()
      })
    })
  }

  /** To be called before the terminal is disposed of. */
  close(): void {
    this.#closed = true
  }

  toBottom(): void {
    this.terminal.scrollToBottom()
  }

  /** The entry at a row, counted in the whole buffer; by default the topmost visible row. */
  positionAt(row = this.terminal.buffer.active.viewportY): ScrollPosition {
    const buffer = this.terminal.buffer.active
    let fromEnd = 0
    for (let at = this.#lastRow(); at > row; at--) if (!buffer.getLine(at)?.isWrapped) fromEnd += 1
    let offset = 0
    while (row - offset > 0 && buffer.getLine(row - offset)?.isWrapped) offset += 1
    return { fromEnd, offset }
  }

  /** The row of a position; the first row where that is above all that the terminal holds. */
  rowOf(position: ScrollPosition): number {
    const buffer = this.terminal.buffer.active
    let left = position.fromEnd
    for (let at = this.#lastRow(); at >= 0; at--) {
      if (buffer.getLine(at)?.isWrapped) continue
      if (left === 0) return at + position.offset
      left -= 1
    }
    return 0
  }

  /** Entries that begin in the terminal; the topmost may have lost its first rows. */
  entriesHeld(): number {
    const buffer = this.terminal.buffer.active
    let count = 0
    for (let at = this.#lastRow(); at >= 0; at--) if (!buffer.getLine(at)?.isWrapped) count += 1
    return this.#empty ? 0 : count
  }

  /** The text of the visible rows, wrapped rows joined to lines. */
  visibleLines(): string[] {
    const buffer = this.terminal.buffer.active
    const lines: string[] = []
    const end = Math.min(buffer.viewportY + this.terminal.rows - 1, this.#lastRow())
    for (let at = buffer.viewportY; at <= end; at++) {
      const row = buffer.getLine(at)
      const text = row?.translateToString(true) ?? ''
      if (row?.isWrapped && lines.length > 0) lines[lines.length - 1] += text
      else lines.push(text)
    }
    return lines
  }

  #lastRow(): number {
    const buffer = this.terminal.buffer.active
    return buffer.baseY + buffer.cursorY
  }
}
