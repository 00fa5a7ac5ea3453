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
