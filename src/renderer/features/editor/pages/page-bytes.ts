export function decodeBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** Length of the complete UTF-8 characters; `last`: the file ends here, so all bytes count. */
export function wholeLength(bytes: Uint8Array, last: boolean): number {
  const end = bytes.length
  if (last || end === 0) return end
  let begin = end - 1
  while (begin > 0 && end - begin < 4 && isContinuation(bytes[begin])) begin -= 1
  const head = bytes[begin] ?? 0
  const length = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : head >= 0xc0 ? 2 : 1
  return begin > 0 && begin + length > end ? begin : end
}

/** Drops a character cut off at the start. `first`, `last`: the part begins or ends the file. */
export function textOf(bytes: Uint8Array, first: boolean, last: boolean): string {
  let from = 0
  // A cut character leaves at most three continuation bytes.
  if (!first) while (from < 3 && from < bytes.length && isContinuation(bytes[from])) from += 1
  const part = bytes.subarray(from, wholeLength(bytes, last))
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(part)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

export interface HexRow {
  offset: string
  hex: string
  text: string
}

const IN_ROW = 16

/** Rows of 16 bytes; `start` is the part's offset. */
export function hexRows(bytes: Uint8Array, start: number): HexRow[] {
  const rows: HexRow[] = []
  for (let at = 0; at < bytes.length; at += IN_ROW) {
    const part = bytes.subarray(at, at + IN_ROW)
    const hex = Array.from(part, (byte) => byte.toString(16).padStart(2, '0'))
    rows.push({
      offset: (start + at).toString(16).padStart(8, '0'),
      hex: [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')].join('  '),
      text: Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(
        '',
      ),
    })
  }
  return rows
}

/** Parses `4096`, `0x1000` or `50 %`; null if invalid. */
export function parseOffset(typed: string, size: number): number | null {
  const text = typed.trim().replaceAll(/[\s_]/g, '')
  const share = /^(\d+(?:[.,]\d+)?)%$/.exec(text)?.[1]
  if (share !== undefined) {
    const part = Number(share.replace(',', '.'))
    return part > 100 ? null : Math.min(Math.floor((size * part) / 100), Math.max(0, size - 1))
  }
  if (!/^(0x[\da-f]+|\d+)$/i.test(text)) return null
  const offset = Number(text)
  return offset < Math.max(1, size) ? offset : null
}
