import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync, inflate, inflateSync } from 'node:zlib'
import type { JsonLimits } from '../../../contract/rules/json-bounds.ts'
import { withoutMark } from '../reader/json.ts'

/** Largest answer, in bytes, before and after decompression. */
export const ANSWER_MOST_BYTES = 32 * 1024 * 1024

/** What may be read as one text. */
export interface TextLimits extends JsonLimits {
  bytes: number
}

/** The service sent more bytes than any answer may have. */
export class AnswerTooLong extends Error {}
/** An answer that is not too long would still take more memory or time to read than it is worth. */
export class AnswerTooLarge extends Error {}

/** The body of an answer as it came. */
export interface Body {
  bytes: Uint8Array
  /** As its header says; empty where it says nothing. */
  encoding: string
}

const unpackers = {
  gzip: { now: gunzipSync, later: promisify(gunzip) },
  'x-gzip': { now: gunzipSync, later: promisify(gunzip) },
  deflate: { now: inflateSync, later: promisify(inflate) },
  br: { now: brotliDecompressSync, later: promisify(brotliDecompress) },
} as const

/** Encodings the client can undo. */
export const ACCEPT_ENCODING = 'gzip, br'

const unpackerOf = (encoding: string) =>
  Object.hasOwn(unpackers, encoding) ? unpackers[encoding as keyof typeof unpackers] : null

/** Whether bytes come as they are. */
export const isPlain = (encoding: string): boolean => unpackerOf(encoding) === null

/** The bytes of a body. Throws `AnswerTooLong`; what is not packed as its header says stays as it came. */
export function unpack({ bytes, encoding }: Body): Uint8Array {
  const unpacker = bytes.length > 0 ? unpackerOf(encoding) : null
  try {
    return unpacker ? unpacker.now(bytes, { maxOutputLength: ANSWER_MOST_BYTES }) : bytes
  } catch (fault) {
    if (isTooLong(fault)) throw new AnswerTooLong()
    return bytes
  }
}

/** The same of a body that is unpacked in no time; null where it has more bytes than that. */
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

/** Bytes as text, without the mark of their byte order. */
export const textOf = (bytes: Uint8Array): string =>
  withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
