import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { giveBack } from '../../../host/give-back.ts'
import type { Reservation } from '../quota/reservations.ts'
import type { Hasher } from './hasher.ts'

/** Gathered in memory before it waits for the disk, in bytes: large writes cost less. */
const GATHERED = 2 * 1024 * 1024
/** Hashed ahead each time so much more is written, in bytes. */
const AHEAD = 4 * 1024 * 1024

/** Writes what comes to the end of a partial file. The bytes of `source` are given back as soon as they are written. */
export async function append(
  source: Readable,
  part: string,
  offset: number,
  hasher: Pick<Hasher, 'advance'>,
  reservation: Pick<Reservation, 'wrote'>,
): Promise<void> {
  const target = createWriteStream(part, { flags: 'r+', start: offset, highWaterMark: GATHERED })
  /** What waits for the disk, each with how many bytes are written when it is. */
  const waiting: { chunk: Buffer; end: number }[] = []
  let taken = 0
  let ahead = 0
  const giveWritten = () => {
    while (waiting[0] && waiting[0].end <= target.bytesWritten) giveBack(waiting.shift()!.chunk)
  }
  source.on('data', (chunk: Buffer) => {
    reservation.wrote(chunk.length)
    waiting.push({ chunk, end: (taken += chunk.length) })
    giveWritten()
    if (target.bytesWritten - ahead < AHEAD) return
    ahead = target.bytesWritten
    hasher.advance(part, offset + ahead)
  })
  await pipeline(source, target)
  giveWritten()
}
