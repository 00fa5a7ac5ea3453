import { Readable } from 'node:stream'

/** A stream can be read only once, so such calls are never retried. */
export type Content = Uint8Array | Readable

/** Bytes per chunk; progress of chunks tells a slow line from a dead one. */
const PIECE = 64 * 1024

/** Sends chunks: for a whole buffer, undici's timeout starts at the first byte, and slow lines look dead. */
export function bodyOf(content: Content | undefined): Readable | Uint8Array | null {
  if (content === undefined) return null
  if (content instanceof Readable) return content
  if (content.length <= PIECE) return content
  return Readable.from(pieces(content), { objectMode: false })
}

function* pieces(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE)
}

/** Bytes; null if unknown. */
export const lengthOf = (content: Content) => (content instanceof Readable ? null : content.length)

export function discard(content: Content | undefined): void {
  if (content instanceof Readable && !content.destroyed) content.on('error', () => {}).destroy()
}

/** The caller must read the stream to its end or destroy it. */
export interface OpenBytes {
  /** 200, 206 for a range, or 416 beyond the end: the stream is then empty. */
  status: number
  stream: Readable
  etag: string | null
  /** Offset of the stream's first byte. */
  offset: number
  /** Total bytes; null if unknown. */
  size: number | null
  /** ISO 8601; null if unknown. */
  modifiedAt: string | null
  /** Of the whole; null if unknown. */
  digest: Digest | null
}

/** `value`: base64. */
export interface Digest {
  algorithm: 'sha1' | 'sha256' | 'sha512'
  value: string
}

/** RFC 9110 §14.4. */
export function measures(
  status: number,
  headers: Record<string, string>,
): Pick<OpenBytes, 'offset' | 'size' | 'modifiedAt' | 'digest'> {
  const changed = Date.parse(headers['last-modified'] ?? '')
  const modifiedAt = Number.isNaN(changed) ? null : new Date(changed).toISOString()
  const digest = headers['content-encoding'] === undefined ? digestIn(headers['repr-digest']) : null
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/i.exec(headers['content-range']?.trim() ?? '')
  if (status !== 200 && range) {
    return {
      offset: Number(range[1] ?? 0),
      size: range[2] === '*' ? null : Number(range[2]),
      modifiedAt,
      digest,
    }
  }
  const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined
  return {
    offset: 0,
    size: status === 200 && length !== undefined ? Number(length) : null,
    modifiedAt,
    digest,
  }
}

const ALGORITHMS = { sha: 'sha1', 'sha-256': 'sha256', 'sha-512': 'sha512' } as const

/** The strongest that is known; RFC 9530. */
function digestIn(header = ''): Digest | null {
  for (const name of ['sha-512', 'sha-256', 'sha'] as const) {
    const [, value] = new RegExp(`(?:^|,)\\s*${name}=:([A-Za-z0-9+/=]{1,100}):`, 'i').exec(header) ?? []
    if (value) return { algorithm: ALGORITHMS[name], value }
  }
  return null
}
