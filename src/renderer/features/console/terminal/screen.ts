import type { Terminal } from '@xterm/xterm'

/** More would cost memory and be no faster than paging. */
export const SCROLLBACK_ROWS = 10_000

const HIDE_CURSOR = '\u001b[?25l'
/** Home, erase screen, erase scrollback. */
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'
/** Synchronized output: rewriting does not flicker. */
const HOLD_DRAWING = '\u001b[?2026h'
const DRAW_AGAIN = '\u001b[?2026l'

/** Entries from the newest (0), and rows into a wrapped line. */
export interface ScrollPosition {
  fromEnd: number
  offset: number
}

/** Maps rows to entries by counting unwrapped rows: each entry starts a row. Nothing is recorded while writing. */
export class Screen {
  readonly terminal: Terminal
  /** Lines appended so far, without rewrites. */
  lines = 0
  #empty = true
  #closed = false

  constructor(terminal: Terminal) {
    this.terminal = terminal
    terminal.write(HIDE_CURSOR)
  }

  get empty(): boolean {
    return this.#empty
  }

  get columns(): number {
    return this.terminal.cols
  }

  get rows(): number {
    return this.terminal.rows
  }

  get atBottom(): boolean {
    const buffer = this.terminal.buffer.active
    return buffer.viewportY >= buffer.baseY
  }

  get rowsAbove(): number {
    return this.terminal.buffer.active.viewportY
  }

  get rowsBelow(): number {
    const buffer = this.terminal.buffer.active
    return buffer.baseY - buffer.viewportY
  }

  /** `written` is called once the text is parsed. */
  write(text: string, written: () => void): void {
    this.#empty = false
    this.terminal.write(text, written)
  }

  restart(text: string, written: () => void): void {
    this.#empty = text === ''
    this.terminal.write(CLEAR + text, written)
  }

  /** Replaces everything without flicker, then scrolls to `place()`. */
  rewrite(texts: readonly string[], place: () => ScrollPosition | 'end'): Promise<void> {
    this.#empty = texts.every((text) => text === '')
    // The selection would cover other text afterwards.
    this.terminal.clearSelection()
    return new Promise((done) => {
      this.terminal.write(HOLD_DRAWING + CLEAR)
      // Repeated per piece: the mode times out after a second, too short on a busy computer.
      for (const text of texts) this.terminal.write(HOLD_DRAWING + text)
      this.terminal.write(DRAW_AGAIN, () => {
        // Pending writes complete after the terminal is disposed of.
        if (this.#closed) return done()
        // Called late: the user may have scrolled meanwhile.
        const position = place()
        if (position === 'end') this.toBottom()
        else this.terminal.scrollToLine(this.rowOf(position))
        done()
      })
    })
  }

  close(): void {
    this.#closed = true
  }

  toBottom(): void {
    this.terminal.scrollToBottom()
  }

  /** The entry at a buffer row; default is the top visible row. */
  positionAt(row = this.terminal.buffer.active.viewportY): ScrollPosition {
    const buffer = this.terminal.buffer.active
    let fromEnd = 0
    for (let at = this.#lastRow(); at > row; at--) if (!buffer.getLine(at)?.isWrapped) fromEnd += 1
    let offset = 0
    while (row - offset > 0 && buffer.getLine(row - offset)?.isWrapped) offset += 1
    return { fromEnd, offset }
  }

  /** The position's row; the first row if it is above the buffer. */
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

  /** Entries starting in the buffer; the topmost may have lost rows. */
  entriesHeld(): number {
    const buffer = this.terminal.buffer.active
    let count = 0
    for (let at = this.#lastRow(); at >= 0; at--) if (!buffer.getLine(at)?.isWrapped) count += 1
    return this.#empty ? 0 : count
  }

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
