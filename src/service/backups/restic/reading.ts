import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { diskPath } from '../../files/names/raw-names.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { BackupEntry } from '../backup-store.ts'
import { damagedFile } from '../entries/entries.ts'
import { includePattern } from './patterns.ts'
import type { Repository } from './repository.ts'
import { failureOf, type ResticEnd } from './restic-refusals.ts'

export interface WantedBytes {
  snapshot: string
  /** As restic calls it. */
  place: string
  entry: BackupEntry
  start: number
  end: number
}

/** restic gives a file from its beginning; what is before the range is left out here. */
export async function readBytes(repository: Repository, wanted: WantedBytes): Promise<Readable> {
  const { snapshot, place } = wanted
  const stopping = new AbortController()
  const running = await repository.start(['dump', snapshot, place], { signal: stopping.signal })
  const bytes = new PassThrough()
  const pieces = (chunks: AsyncIterable<Buffer>) => piecesOf(chunks, running.ended, repository, wanted)
  // However it ends, restic does too.
  pipeline(running.output, pieces, bytes, () => stopping.abort())
  return bytes
}

/** Each chunk was checked by restic before it came. */
async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
  ended: Promise<ResticEnd>,
  repository: Repository,
  { entry, start, end }: WantedBytes,
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.length
    if (piece.length > 0) yield piece
    if (at >= end && end < entry.size) return
  }
  const last = await ended
  if (last.code !== 0) throw failureFor(last, repository, entry)
  if (at !== entry.size) throw damagedFile(entry.path)
}

/** An argument can't hold bytes that are no character, a pattern that matches them can. */
export async function readByRestoring(repository: Repository, wanted: WantedBytes): Promise<Readable> {
  const { snapshot, place, entry, start, end } = wanted
  const target = path.join(repository.place.temporary, randomUUID())
  await mkdir(target, { recursive: true, mode: 0o700 })
  try {
    const { output, ended } = await repository.start(
      ['restore', snapshot, '--target', target, '--include', includePattern(place)],
      { signal: new AbortController().signal },
    )
    output.resume()
    const last = await ended
    if (last.code !== 0) throw failureFor(last, repository, entry)
    const file = createReadStream(diskPath(target, place.replace(/^\//, '')), { start, end: end - 1 })
    return file.once('close', () => void removeTree(target).catch(() => undefined))
  } catch (error) {
    await removeTree(target)
    throw error
  }
}

function failureFor(end: ResticEnd, { place }: Repository, { path: at }: BackupEntry) {
  const failure = failureOf(end, place)
  return failure.code === 'backups.store-damaged' ? damagedFile(at) : failure
}
