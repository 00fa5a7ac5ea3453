import { LineSplitter } from '../programs/line-splitter.ts'
import type { LoggedLines } from './log-frames.ts'

/** Reads an engine's log with times of a program in a terminal, which has no frames: `2026-11-29T13:02:31.08Z text`. */
export class LogText {
  readonly #splitter = new LineSplitter()
  #last = Date.now()

  /** Consecutive lines of the same ms are together. */
  push(chunk: Buffer): LoggedLines[] {
    return this.#found(this.#splitter.push(chunk))
  }

  /** The unfinished last line. */
  flush(): LoggedLines[] {
    return this.#found(this.#splitter.flush())
  }

  #found(lines: readonly string[]): LoggedLines[] {
    const found: LoggedLines[] = []
    for (const line of lines) {
      const space = line.indexOf(' ')
      const told = Date.parse(line.slice(0, Math.max(space, 0)))
      const isTimed = !Number.isNaN(told)
      if (isTimed) this.#last = told
      const text = isTimed ? line.slice(space + 1) : line
      const before = found.at(-1)
      if (before?.at === this.#last) before.lines.push(text)
      else found.push({ lines: [text], from: 'output', at: this.#last })
    }
    return found
  }
}
