/** Largest file that is opened as a text, and largest former content that is kept, in bytes. */
export const TEXT_MOST_BYTES = 5 * 1024 * 1024

/**
 * The text of a file, exactly: a byte order mark and every line end stay. Null where it is no text: it holds a zero byte,
 * or is not UTF-8 throughout, so that saving it again would change what nobody touched.
 */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
