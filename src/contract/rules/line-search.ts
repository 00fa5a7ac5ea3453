const BINARY_WITHIN = 8192
const LINE_MOST = 64 * 1024
const SHOWN = 300

/** Of a larger file the content isn't searched; bytes. */
export const SEARCHED_MOST = 50 * 1024 * 1024

/** As names and texts are compared: whatever their case. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase()

interface LineHit {
  /** From 1. */
  line: number
  /** The part of it around what was found. */
  text: string
}

/** Finds a text in the lines of a file that comes in pieces. */
export class LineSearch {
  readonly #text: string
  readonly #decoder = new TextDecoder('utf-8')
  #rest = ''
  #line = 1
  #read = 0
  #isBinary = false

  constructor(text: string) {
    this.#text = folded(text)
  }

  /** What follows needn't be read: no lines are found in it. */
  get isBinary(): boolean {
    return this.#isBinary
  }

  /** `isLast`: no piece follows. */
  *linesIn(piece: Uint8Array, isLast: boolean): Generator<LineHit> {
    if (this.#read < BINARY_WITHIN)
      this.#isBinary ||= piece.subarray(0, BINARY_WITHIN - this.#read).includes(0)
    this.#read += piece.length
    if (this.#isBinary) return
    const all = this.#rest + this.#decoder.decode(piece, { stream: !isLast })
    const end = isLast ? all.length : all.lastIndexOf('\n') + 1
    const whole = all.slice(0, end)
    this.#rest = all.slice(end)
    // Without a match, only count the lines.
    if (folded(whole).includes(this.#text)) {
      const lines = whole.split('\n')
      if (!isLast) lines.pop()
      for (const one of lines) {
        yield* this.#found(one)
        this.#line++
      }
    } else for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) this.#line++
    // Drop the searched part of an endless line, except what may begin a match.
    if (this.#rest.length <= LINE_MOST) return
    const found = [...this.#found(this.#rest)]
    yield* found
    this.#rest = found.length > 0 ? '' : this.#rest.slice(-this.#text.length * 2)
  }

  *#found(line: string): Generator<LineHit> {
    const at = folded(line).indexOf(this.#text)
    if (at < 0) return
    const clean = line.endsWith('\r') ? line.slice(0, -1) : line
    const start = Math.max(0, Math.min(at - SHOWN / 3, clean.length - SHOWN))
    yield { line: this.#line, text: clean.slice(start, start + SHOWN) }
  }
}
