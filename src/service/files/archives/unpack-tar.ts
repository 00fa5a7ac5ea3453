import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../../host/refusal.ts'
import type { JobProgress } from '../jobs.ts'
import type { EntryNames } from './names/entry-names.ts'
import { TarFormatError } from './tar-input.ts'
import { readTar, type TarEntry, type TarHeader, timeOf } from './tar-reader.ts'
import { broken, swollen, unknownArchive, type ArchiveExtraction } from './unpack.ts'

const SMALL = 512 * 1024
const PIECE = 256 * 1024
/** Bytes of a tar to scan for names that aren't Unicode. */
const LOOKED_THROUGH = 1024 ** 3

/** Accepts gzip. Skips all but files and folders. Throws 422 `files.archive-broken` and limits. */
export async function unpackTar(
  handle: FileHandle,
  gzipped: boolean,
  into: ArchiveExtraction,
  names: EntryNames,
  progress: JobProgress,
): Promise<void> {
  let isNoted = false
  await throughTar(
    handle,
    gzipped,
    progress,
    (bytes) => into.cameOut(bytes),
    async ({ header, content }) => {
      const { rawName, type, size } = header
      // Guessing needs all names. Few tars have names that aren't Unicode; only those are read twice.
      if (!isNoted && !isUtf8(rawName)) {
        isNoted = true
        await noteNames(handle, gzipped, names, progress)
      }
      const name = names.read(rawName, true)
      if (name === null) into.leaveOut(rawName.toString('latin1'), 'unreadable')
      else if (type === 'directory') into.folder(name)
      else if (type === 'file') {
        const path = into.pathOf(name)
        if (path !== null) await into.file(path, size, await contentOf(content, header), aboutOf(header))
      } else into.leaveOut(name, type)
    },
  )
}

/** Ignores errors: they show again during extraction. */
async function noteNames(
  handle: FileHandle,
  gzipped: boolean,
  names: EntryNames,
  progress: JobProgress,
): Promise<void> {
  const enough = new Error('enough')
  let seen = 0
  const count = (bytes: number) => {
    progress.signal.throwIfAborted()
    if (names.isSettled || (seen += bytes) > LOOKED_THROUGH) throw enough
  }
  await throughTar(handle, gzipped, progress, count, ({ header }) => names.note(header.rawName, true)).catch(
    () => progress.signal.throwIfAborted(),
  )
}

async function throughTar(
  handle: FileHandle,
  gzipped: boolean,
  { signal }: JobProgress,
  cameOut: (bytes: number) => void,
  act: (entry: TarEntry) => Promise<void> | void,
): Promise<void> {
  const unzipped = gzipped ? createGunzip({ chunkSize: PIECE }) : new PassThrough()
  const fed = pipeline(bytesOf(handle), unzipped, { signal })
  fed.catch(() => {})
  let isTar = false
  try {
    for await (const entry of readTar(counted(unzipped, cameOut), swollen)) {
      isTar = true
      await act(entry)
    }
    await fed
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Refusal) throw error
    // Gzip may also contain a single file.
    throw error instanceof TarFormatError && !isTar ? unknownArchive() : broken()
  } finally {
    unzipped.destroy()
    await fed.catch(() => {})
  }
}

/** A stream of the file itself would close it when destroyed, but it may be read again. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const piece = Buffer.allocUnsafe(PIECE)
    const { bytesRead } = await handle.read(piece, 0, PIECE, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

/** Counts all output, as headers and trailing data compress best. */
async function* counted(
  source: AsyncIterable<Buffer>,
  cameOut: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    cameOut(chunk.length)
    yield chunk
  }
}

async function contentOf(content: TarEntry['content'], { size }: TarHeader): Promise<Buffer | Readable> {
  if (size > SMALL) return Readable.from(content, { objectMode: false })
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const aboutOf = (header: TarHeader) => ({ modifiedAt: new Date(timeOf(header) ?? NaN), mode: header.mode })
