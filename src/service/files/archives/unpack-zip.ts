import type { FileHandle } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { refusal } from '../../refusal.ts'
import type { JobProgress } from '../jobs.ts'
import { Yielder } from '../safe-fs/yield.ts'
import { broken, swollen, MOST_ENTRIES, tooMany, type Unpacking } from './unpack.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** A file up to this size is unpacked in memory, in bytes. */
const SMALL = 512 * 1024
/** Most bytes of names, extra fields and comments of all entries together: honest ones have some hundred each. */
const BESIDE_MOST = 64 * 1024 * 1024
/** What stands before the name of each entry of the list, in bytes. */
const ENTRY_BYTES = 46
/** Read ahead of the list, in bytes. */
const AHEAD = 64 * 1024
/** Read at once of a file, in bytes. */
const PIECE = 256 * 1024
const STORED = 0
const DEFLATED = 8

/** Unpacks a zip. Links in it are left out. Throws 422 `files.archive-encrypted`, `files.archive-broken` and its bounds. */
export async function unpackZip(handle: FileHandle, into: Unpacking, progress: JobProgress): Promise<void> {
  let [bytes, count, files] = [0, 0, 0]
  let beside = 0
  // All are judged before the first is written. None is held: a list of entries can be as large as the archive.
  await eachEntry(handle, progress, (entry) => {
    bytes += entry.uncompressedSize
    beside += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    into.announce(bytes, ++count)
    if (beside > BESIDE_MOST) throw swollen()
    if (entry.isEncrypted()) throw encrypted()
    if (!nameOf(entry).endsWith('/')) files++
  })
  progress.total(bytes, files)
  await eachEntry(handle, progress, async (entry, zip) => {
    const name = nameOf(entry)
    if (name.endsWith('/')) into.folder(name)
    else if (isPlain(entry)) await unpackEntry(zip, handle, entry, name, into)
    else {
      into.partsOf('left-out')
      progress.leaveOut()
    }
  })
}

/** Reads the list of a zip, an entry at a time. Throws 422 `files.archive-broken`, and what `act` throws. */
async function eachEntry(
  handle: FileHandle,
  { signal }: JobProgress,
  act: (entry: Entry, zip: ZipFile) => Promise<void> | void,
): Promise<void> {
  const isBroken = (): never => {
    throw broken()
  }
  // Names come as bytes, so that ours is the one place where they are judged.
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false }
  const { size } = await handle.stat()
  const zip = await fromRandomAccessReaderPromise(new AheadReader(handle), size, options).catch(isBroken)
  if (zip.entryCount > MOST_ENTRIES) throw tooMany()
  // The list stands at the end: what is too long is seen before it is read.
  const { readEntryCursor } = zip as unknown as { readEntryCursor: number }
  if (size - readEntryCursor > BESIDE_MOST + zip.entryCount * ENTRY_BYTES) throw swollen()
  const entries = zip.eachEntry()[Symbol.asyncIterator]()
  const yielder = new Yielder()
  for (;;) {
    const next = await entries.next().catch(isBroken)
    if (next.done) return
    await yielder.next()
    signal.throwIfAborted()
    await act(next.value, zip)
  }
}

/** Reads ahead: the list is asked for in pieces of a few bytes, two for each entry. */
class AheadReader extends RandomAccessReader {
  readonly #handle: FileHandle
  #ahead = Buffer.alloc(0)
  #from = 0

  constructor(handle: FileHandle) {
    super()
    this.#handle = handle
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#fill(position, length).then(
      (some) => {
        if (some.length < length) return callback(new Error('The file ends before that.'))
        some.copy(buffer, offset, 0, length)
        callback(null)
      },
      (error: unknown) => callback(error as Error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false })
  }

  /** Not a stream of the file's own: that one closes the file when it is destroyed. */
  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at))
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  }

  async #fill(position: number, length: number): Promise<Buffer> {
    const at = position - this.#from
    if (at >= 0 && at + length <= this.#ahead.length) return this.#ahead.subarray(at, at + length)
    const ahead = Buffer.allocUnsafe(Math.max(length, AHEAD))
    const { bytesRead } = await this.#handle.read(ahead, 0, ahead.length, position)
    this.#from = position
    this.#ahead = ahead.subarray(0, bytesRead)
    return this.#ahead.subarray(0, length)
  }
}

async function unpackEntry(zip: ZipFile, handle: FileHandle, entry: Entry, name: string, into: Unpacking) {
  const about = { modifiedAt: entry.getLastModDate(), mode: entry.externalFileAttributes >>> 16 }
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) throw unknownMethod(name)
  if (compressedSize <= SMALL && uncompressedSize <= SMALL) {
    return into.file(name, uncompressedSize, await contentOf(zip, handle, entry), about)
  }
  const stream = await zip.openReadStreamPromise(entry).catch(() => {
    throw broken()
  })
  let crc = 0
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      crc = crc32(chunk, crc)
      callback(null, chunk)
    },
    flush: (callback) => callback(crc === entry.crc32 ? null : broken()),
  })
  // What does not inflate, or not to the size that was said.
  stream.on('error', () => checked.destroy(broken()))
  // Who reads it hears of it too; where nobody does any more, an unheard error would end the service.
  checked.on('error', () => {})
  try {
    await into.file(name, uncompressedSize, stream.pipe(checked), about)
  } finally {
    stream.destroy()
    checked.destroy()
  }
}

/** A small file's content, without a stream. */
async function contentOf(zip: ZipFile, handle: FileHandle, entry: Entry): Promise<Buffer> {
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const packed = Buffer.alloc(entry.compressedSize)
    const { bytesRead } = await handle.read(packed, 0, packed.length, fileDataStart)
    if (bytesRead < packed.length) throw broken()
    const content =
      entry.compressionMethod === STORED
        ? packed
        : await inflate(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) })
    if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) throw broken()
    return content
  } catch {
    throw broken()
  }
}

/** The name, with `/` also where a tool of Windows wrote `\`. */
function nameOf(entry: Entry): string {
  // Without `decodeStrings` this is the raw name.
  const raw = entry.fileName as unknown as Buffer
  return getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false)
}

/** Neither link nor device: a kind is said only by tools of Unix. */
function isPlain(entry: Entry): boolean {
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000
  return kind === 0 || kind === 0o100000
}

const encrypted = () => refusal(422, 'files.archive-encrypted')

const unknownMethod = (name: string) =>
  refusal(422, 'files.archive-unknown.method', { name: name.slice(0, 200) })
