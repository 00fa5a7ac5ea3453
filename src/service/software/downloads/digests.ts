import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Checksum, RemoteFile } from '../catalogue.ts'

/** What a file on the disk is. */
export interface Digests {
  /** Lower-case hex. */
  sha256: string
  /** In the algorithm that was asked for; null where none was. */
  asked: string | null
  /** Bytes. */
  size: number
}

/** Reads a file and answers what it is. Rejects as reading does, and with the signal's reason. */
export async function digestsOf(
  file: string,
  algorithm: Checksum['algorithm'] | null,
  signal: AbortSignal,
): Promise<Digests> {
  const sha256 = createHash('sha256')
  const other = algorithm && algorithm !== 'sha256' ? createHash(algorithm) : null
  let size = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024, signal })) {
    const bytes = chunk as Buffer
    sha256.update(bytes)
    other?.update(bytes)
    size += bytes.length
  }
  const value = sha256.digest('hex')
  return { sha256: value, asked: algorithm && (other?.digest('hex') ?? value), size }
}

/** Whether that is the file the catalogue speaks of. */
export function isTheFile({ size, checksum }: RemoteFile, digests: Digests): boolean {
  if (size !== null && size !== digests.size) return false
  return checksum === null || checksum.value === digests.asked
}
