import { Readable } from 'node:stream'

/** The body of an operation that sends bytes. A stream is read once, so such a call can never be tried again by itself. */
export type Content = Uint8Array | Readable

/** Pieces a buffer is handed over in, in bytes: the silence of a slow line is told by pieces that do not move on. */
const PIECE = 64 * 1024

/**
 * What undici sends for a content. A buffer goes in pieces: handed over whole, its time would run from the first byte
 * on, and a slow line would be taken for a dead one.
 */
export function bodyOf(content: Content | undefined): Readable | Uint8Array | null {
  if (content === undefined) return null
  if (content instanceof Readable) return content
  if (content.length <= PIECE) return content
  return Readable.from(pieces(content), { objectMode: false })
}

function* pieces(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE)
}

/** The length of a content in bytes, for its header; null where only its end will tell. */
export const lengthOf = (content: Content) => (content instanceof Readable ? null : content.length)

/** Ends a content nobody will send any more, so that a file or socket behind it is let go. */
export function discard(content: Content | undefined): void {
  if (content instanceof Readable && !content.destroyed) content.on('error', () => {}).destroy()
}

/** Opened bytes of an answer. Whoever takes them must read them to their end or destroy the stream. */
export interface OpenBytes {
  /** 200, 206 for a part, or 416 where the part lies behind the end: then the stream is empty. */
  status: number
  stream: Readable
  etag: string | null
  /** First byte of the stream within the whole. */
  offset: number
  /** Bytes of the whole; null where the service does not tell. */
  size: number | null
  /** ISO 8601; null where the service does not tell. */
  modifiedAt: string | null
}

/** What the headers of an answer tell of its bytes (RFC 9110 §14.4). */
export function measures(
  status: number,
  headers: Record<string, string>,
): Pick<OpenBytes, 'offset' | 'size' | 'modifiedAt'> {
  const changed = Date.parse(headers['last-modified'] ?? '')
  const modifiedAt = Number.isNaN(changed) ? null : new Date(changed).toISOString()
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/i.exec(headers['content-range']?.trim() ?? '')
  if (status !== 200 && range) {
    return { offset: Number(range[1] ?? 0), size: range[2] === '*' ? null : Number(range[2]), modifiedAt }
  }
  const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined
  return { offset: 0, size: status === 200 && length !== undefined ? Number(length) : null, modifiedAt }
}
