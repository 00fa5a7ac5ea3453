import type { FileHandle } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { refusal } from '../../../host/refusal.ts'
import { openZipBy } from '../../../host/open-zip.ts'
import type { JobProgress } from '../jobs.ts'
import { Yielder } from '../../../host/yield.ts'
import { type EntryNames, isOfUnix, markedName, withSlashes } from './names/entry-names.ts'
import { broken, swollen, MOST_ENTRIES, tooMany, type ArchiveExtraction } from './unpack.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

const SMALL = 512 * 1024
/** Limit in bytes of all names, extra fields and comments; real entries have about a hundred. */
const BESIDE_MOST = 64 * 1024 * 1024
/** Directory header size before the name, in bytes. */
const ENTRY_BYTES = 46
const SLASH = 0x2f
const STORED = 0
const DEFLATED = 8

/** Skips all but files and folders. Throws 422 `files.archive-encrypted`, `files.archive-broken` and limits. */
export async function unpackZip(
  handle: FileHandle,
  into: ArchiveExtraction,
  names: EntryNames,
  progress: JobProgress,
): Promise<void> {
  let [bytes, count, files] = [0, 0, 0]
  let beside = 0
  // Check all entries before writing. Don't collect them: the directory may be as large as the archive.
  await eachEntry(handle, progress, (entry) => {
    bytes += entry.uncompressedSize
    beside += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    into.announce(bytes, ++count)
    if (beside > BESIDE_MOST) throw swollen()
    if (entry.isEncrypted()) throw encrypted()
    if (markedName(entry) === null) names.note(entry.fileNameRaw, isOfUnix(entry))
    if (entry.fileNameRaw.at(-1) !== SLASH) files++
  })
  progress.total(bytes, files)
  await eachEntry(handle, progress, async (entry, zip) => {
    const text = markedName(entry) ?? names.read(entry.fileNameRaw, isOfUnix(entry))
    if (text === null) return into.leaveOut(entry.fileNameRaw.toString('latin1'), 'unreadable')
    const name = withSlashes(text, entry)
    const kind = kindOf(entry, name)
    if (kind === 'folder') into.folder(name)
    else if (kind === 'file') await unpackEntry(zip, handle, entry, name, into)
    else into.leaveOut(name, kind)
  })
}

async function eachEntry(
  handle: FileHandle,
  { signal }: JobProgress,
  act: (entry: Entry, zip: ZipFile) => Promise<void> | void,
): Promise<void> {
  const isBroken = (): never => {
    throw broken()
  }
  const { size } = await handle.stat()
  const read = async (piece: Buffer, at: number) => (await handle.read(piece, 0, piece.length, at)).bytesRead
  const zip = await openZipBy(read, size).catch(isBroken)
  if (zip.entryCount > MOST_ENTRIES) throw tooMany()
  // The directory is at the end, so its size is known before reading it.
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

async function unpackEntry(
  zip: ZipFile,
  handle: FileHandle,
  entry: Entry,
  name: string,
  into: ArchiveExtraction,
) {
  const about = { modifiedAt: entry.getLastModDate(), mode: entry.externalFileAttributes >>> 16 }
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  const path = into.pathOf(name)
  if (path === null) return
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) throw unknownMethod(name)
  if (compressedSize <= SMALL && uncompressedSize <= SMALL) {
    return into.file(path, uncompressedSize, await contentOf(zip, handle, entry), about)
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
  stream.on('error', () => checked.destroy(broken()))
  // The reader also gets the error; without one, it would crash the service.
  checked.on('error', () => {})
  try {
    await into.file(path, uncompressedSize, stream.pipe(checked), about)
  } finally {
    stream.destroy()
    checked.destroy()
  }
}

/** Avoids a stream. */
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

/** Only Unix tools store file types; others just mark folders. */
function kindOf({ externalFileAttributes }: Entry, name: string): 'file' | 'folder' | 'link' | 'special' {
  const kind = (externalFileAttributes >>> 16) & 0o170000
  if (name.endsWith('/') || kind === 0o040000) return 'folder'
  if (kind === 0 || kind === 0o100000) return 'file'
  return kind === 0o120000 ? 'link' : 'special'
}

const encrypted = () => refusal(422, 'files.archive-encrypted')

const unknownMethod = (name: string) =>
  refusal(422, 'files.archive-unknown.method', { name: name.slice(0, 200) })
