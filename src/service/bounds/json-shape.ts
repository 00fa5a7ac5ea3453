const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])
const COMMA = 0x2c

/**
 * Whether JSON holds no more values, and is no deeper, than is taken. It is looked at before it is parsed: a megabyte of
 * commas is half a million values, each of which would be checked and complained about by itself.
 */
export function isModest(bytes: Uint8Array, mostValues: number, mostDepth: number): boolean {
  let values = 1
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) values++
    else if (OPEN.has(byte)) {
      values++
      depth++
    } else if (CLOSE.has(byte)) depth--
    if (values > mostValues || depth > mostDepth) return false
  }
  return true
}

/** Where a text ends that begins at a quote: at its other quote, or with the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}
