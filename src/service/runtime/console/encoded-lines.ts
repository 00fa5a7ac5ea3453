const LF = 10
const COMMA = 44

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

/** Replaces line feeds by commas in place, without the last one. */
export function joinLines(bytes: Buffer): Buffer {
  const end = bytes.length - 1
  for (let lf = bytes.indexOf(LF); lf >= 0 && lf < end; lf = bytes.indexOf(LF, lf + 1)) bytes[lf] = COMMA
  return bytes.subarray(0, Math.max(0, end))
}

/** Replaces damaged lines from disk by a placeholder with the same id. Returns the same bytes if all are intact. */
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
