import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync, inflate, inflateSync } from 'node:zlib'
import type { JsonLimits } from '../../../contract/rules/json-bounds.ts'
import { withoutMark } from '../reader/json.ts'

/** Both compressed and decompressed. */
export const ANSWER_MOST_BYTES = 32 * 1024 * 1024

export interface TextLimits extends JsonLimits {
  bytes: number
}

export class AnswerSizeError extends Error {}
/** Within the size limit, but too expensive to parse. */
export class AnswerComplexityError extends Error {}

export interface Body {
  bytes: Uint8Array
  /** `Content-Encoding`; empty if not given. */
  encoding: string
}

const unpackers = {
  gzip: { now: gunzipSync, later: promisify(gunzip) },
  'x-gzip': { now: gunzipSync, later: promisify(gunzip) },
  deflate: { now: inflateSync, later: promisify(inflate) },
  br: { now: brotliDecompressSync, later: promisify(brotliDecompress) },
} as const

export const ACCEPT_ENCODING = 'gzip, br'

const unpackerOf = (encoding: string) =>
  Object.hasOwn(unpackers, encoding) ? unpackers[encoding as keyof typeof unpackers] : null

export const isPlain = (encoding: string): boolean => unpackerOf(encoding) === null

/** Throws `AnswerSizeError`. Bytes that aren't packed as the header says are returned as they are. */
export function unpack({ bytes, encoding }: Body): Uint8Array {
  const unpacker = bytes.length > 0 ? unpackerOf(encoding) : null
  try {
    return unpacker ? unpacker.now(bytes, { maxOutputLength: ANSWER_MOST_BYTES }) : bytes
  } catch (fault) {
    if (isTooLong(fault)) throw new AnswerSizeError()
    return bytes
  }
}

/** Like `unpack` for small bodies; null if there are more than `most` bytes. */
export async function unpackSmall({ bytes, encoding }: Body, most: number): Promise<Uint8Array | null> {
  if (bytes.length > most) return null
  const unpacker = bytes.length > 0 ? unpackerOf(encoding) : null
  try {
    return unpacker ? await unpacker.later(bytes, { maxOutputLength: most }) : bytes
  } catch (fault) {
    return isTooLong(fault) ? null : bytes
  }
}

const isTooLong = (fault: unknown): boolean =>
  (fault as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'

export const textOf = (bytes: Uint8Array): string =>
  withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
