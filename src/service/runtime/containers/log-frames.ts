import { LineSplitter } from '../programs/line-splitter.ts'

export interface LoggedLines {
  lines: string[]
  from: 'output' | 'error'
  /** Unix ms. */
  at: number
}

const HEAD = 8
/** A message of the engine's log is at most 16 KiB and its time. */
const FRAME_MOST = 64 * 1024
const STDERR = 2
const SPACE = 0x20

/** Reads an engine's log with times: frames of a type, a length, and `2026-11-29T13:02:31.082661317Z text`. */
export class LogFrames {
  #rest: Buffer = Buffer.alloc(0)
  readonly #splitters = { output: new LineSplitter(), error: new LineSplitter() }

  /** Consecutive lines of the same ms and kind are together. Throws if these are no frames. */
  push(chunk: Buffer): LoggedLines[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const found: LoggedLines[] = []
    let start = 0
    while (bytes.length - start >= HEAD) {
      const length = bytes.readUInt32BE(start + 4)
      if (length > FRAME_MOST) throw new Error('The engine sent a log that can’t be read.')
      const end = start + HEAD + length
      if (bytes.length < end) break
      const from = bytes[start] === STDERR ? 'error' : 'output'
      this.#take(bytes.subarray(start + HEAD, end), from, found)
      start = end
    }
    this.#rest = Buffer.from(bytes.subarray(start))
    return found
  }

  #take(message: Buffer, from: LoggedLines['from'], found: LoggedLines[]): void {
    const space = message.indexOf(SPACE)
    const at = Date.parse(message.toString('latin1', 0, Math.max(space, 0)))
    const lines = this.#splitters[from].push(Number.isNaN(at) ? message : message.subarray(space + 1))
    if (lines.length === 0) return
    const last = found.at(-1)
    if (last?.from === from && (last.at === at || Number.isNaN(at))) last.lines.push(...lines)
    else found.push({ lines, from, at: Number.isNaN(at) ? Date.now() : at })
  }

  /** The unfinished last lines. */
  flush(at: number): LoggedLines[] {
    return (['output', 'error'] as const)
      .map((from) => ({ lines: this.#splitters[from].flush(), from, at }))
      .filter(({ lines }) => lines.length > 0)
  }
}
