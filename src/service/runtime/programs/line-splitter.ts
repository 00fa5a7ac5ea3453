/** Bytes of UTF-8. Longer lines are cut and marked. */
export const LINE_BYTES_MAX = 16 * 1024

export const CUT_MARK = ' … [cut: this line is longer than 16 KiB]'

const LF = 10

/** Only whole lines are decoded, so no character is torn: in UTF-8 the line feed byte is always a line feed. */
export class LineSplitter {
  #carry: Buffer[] = []
  #carried = 0
  /** Skipping the rest of an overlong line. */
  #skipping = false

  /** Lines completed by `chunk`. It may be reused afterwards. */
  push(chunk: Buffer): string[] {
    let start = 0
    if (this.#skipping) {
      const end = chunk.indexOf(LF)
      if (end < 0) return []
      this.#skipping = false
      start = end + 1
    }
    const last = chunk.lastIndexOf(LF)
    if (last < start) return this.#keep(chunk.subarray(start))
    let whole = chunk.subarray(start, last)
    if (this.#carried > 0) {
      whole = Buffer.concat([...this.#carry, whole])
      this.#carry = []
      this.#carried = 0
    }
    const lines = split(whole)
    const rest = chunk.subarray(last + 1)
    if (rest.length > 0) lines.push(...this.#keep(rest))
    return lines
  }

  /** The unfinished last line, at the end of the output. */
  flush(): string[] {
    if (this.#carried === 0) return []
    const rest = Buffer.concat(this.#carry)
    this.#carry = []
    this.#carried = 0
    return split(rest)
  }

  #keep(rest: Buffer): string[] {
    if (rest.length === 0) return []
    this.#carry.push(Buffer.from(rest))
    this.#carried += rest.length
    if (this.#carried <= LINE_BYTES_MAX) return []
    // Emit now: the line may never end.
    const long = Buffer.concat(this.#carry)
    this.#carry = []
    this.#carried = 0
    this.#skipping = true
    return [cut(long)]
  }
}

function split(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  const lines = text.split('\n')
  const mayHoldReturns = text.includes('\r')
  const mayHoldLong = bytes.length > LINE_BYTES_MAX
  if (!mayHoldReturns && !mayHoldLong) return lines
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    if (mayHoldReturns && line.endsWith('\r')) lines[i] = line.slice(0, -1)
    if (line.length * 3 > LINE_BYTES_MAX) {
      const encoded = Buffer.from(line)
      if (encoded.length > LINE_BYTES_MAX) lines[i] = cut(encoded)
    }
  }
  return lines
}

function cut(line: Buffer): string {
  let end = LINE_BYTES_MAX
  // Back to the start of a character: continuation bytes are 10xxxxxx.
  while (end > 0 && (line[end]! & 0xc0) === 0x80) end--
  return line.toString('utf8', 0, end) + CUT_MARK
}
