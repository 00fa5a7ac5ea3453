const LF = 10
const COMMA = 44

/** Passes over up to `lines` whole lines from `start`; says how many there were and where they end. */
export function passLines(bytes: Buffer, start: number, lines: number): { lines: number; end: number } {
  let passed = 0
  let end = start
  while (passed < lines) {
    const lf = bytes.indexOf(LF, end)
    if (lf < 0) break
    end = lf + 1
    passed++
  }
  return { lines: passed, end }
}

/** Turns the line feeds between encoded lines into commas, in place, and leaves out the last one. */
export function joinLines(bytes: Buffer): Buffer {
  const end = bytes.length - 1
  for (let lf = bytes.indexOf(LF); lf >= 0 && lf < end; lf = bytes.indexOf(LF, lf + 1)) bytes[lf] = COMMA
  return bytes.subarray(0, Math.max(0, end))
}

/**
 * Encoded lines as they were read from a file of an earlier run: one that is damaged is replaced by one that says so,
 * under its own id, so that neither it nor the lines around it are missing. The same bytes where all are whole.
 */
export function mendLines(bytes: Buffer, idOf: (index: number) => string): Buffer {
  if (areLines(joinLines(Buffer.from(bytes)).toString(), idOf)) return bytes
  const mended = bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const id = idOf(index)
      if (areLines(line, () => id)) return line
      return JSON.stringify({ id, time: null, source: 'service', text: DAMAGED })
    })
  return Buffer.from(`${mended.join('\n')}\n`)
}

const DAMAGED = 'This line cannot be read: the console file is damaged.'

/** Whether a text is encoded lines with these ids. */
function areLines(text: string, idOf: (index: number) => string): boolean {
  try {
    const lines = JSON.parse(`[${text}]`) as ({ id?: unknown; text?: unknown } | null)[]
    return (
      lines.length > 0 &&
      lines.every((line, index) => line?.id === idOf(index) && typeof line.text === 'string')
    )
  } catch {
    return false
  }
}
