/** Limit for opening text and for kept versions. */
export const TEXT_MOST_BYTES = 5 * 1024 * 1024

/** Exact, with byte order mark and line ends. Null if binary or not UTF-8: saving would alter it. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
