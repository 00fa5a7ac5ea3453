import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Reservation } from '../quota/reservations.ts'
import type { Hasher } from './hasher.ts'

/** Bytes buffered per write: large writes cost less. */
const GATHERED = 2 * 1024 * 1024
/** Bytes between requests to hash ahead. */
const AHEAD = 4 * 1024 * 1024

export async function append(
  source: Readable,
  part: string,
  offset: number,
  hasher: Pick<Hasher, 'advance'>,
  reservation: Pick<Reservation, 'wrote'>,
): Promise<void> {
  const target = createWriteStream(part, { flags: 'r+', start: offset, highWaterMark: GATHERED })
  let ahead = 0
  source.on('data', (chunk: Buffer) => {
    reservation.wrote(chunk.length)
    if (target.bytesWritten - ahead < AHEAD) return
    ahead = target.bytesWritten
    hasher.advance(part, offset + ahead)
  })
  await pipeline(source, target)
}
