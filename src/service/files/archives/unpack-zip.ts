import type { FileHandle } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { refusal } from '../../base/refusal.ts'
import { openZipBy } from '../../zip/open-zip.ts'
import type { JobProgress } from '../jobs.ts'
import { Yielder } from '../../base/yield.ts'
import { type EntryNames, isOfUnix, markedName, withSlashes } from './names/entry-names.ts'
import { broken, swollen, MOST_ENTRIES, tooMany, type Unpacking } from './unpack.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** A file up to this size is unpacked in memory, in bytes. */
const SMALL = 512 * 1024
/** Most bytes of names, extra fields and comments of all entries together: honest ones have some hundred each. */
const BESIDE_MOST = 64 * 1024 * 1024
/** What stands before the name of each entry of the list, in bytes. */
const ENTRY_BYTES = 46
const SLASH = 0x2f
const STORED = 0
const DEFLATED = 8

/**
 * Unpacks a zip. What is neither file nor folder is left out. Throws 422 `files.archive-encrypted`, `files.archive-broken` and
 * its bounds.
 */
export async function unpackZip(
  handle: FileHandle,
  into: Unpacking,
  names: EntryNames,
  progress: JobProgress,
): Promise<void> {
  let [bytes, count, files] = [0, 0, 0]
  let beside = 0
  // All are judged before the first is written. None is held: a list of entries can be as large as the archive.
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

/** Reads the list of a zip, an entry at a time. Throws 422 `files.archive-broken`, and what `act` throws. */
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

async function unpackEntry(zip: ZipFile, handle: FileHandle, entry: Entry, name: string, into: Unpacking) {
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
  // What does not inflate, or not to the size that was said.
  stream.on('error', () => checked.destroy(broken()))
  // Who reads it hears of it too; where nobody does any more, an unheard error would end the service.
  checked.on('error', () => {})
  try {
    await into.file(path, uncompressedSize, stream.pipe(checked), about)
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

/** Only tools of Unix say more than that something is a folder. */
function kindOf({ externalFileAttributes }: Entry, name: string): 'file' | 'folder' | 'link' | 'special' {
  const kind = (externalFileAttributes >>> 16) & 0o170000
  if (name.endsWith('/') || kind === 0o040000) return 'folder'
  if (kind === 0 || kind === 0o100000) return 'file'
  return kind === 0o120000 ? 'link' : 'special'
}

const encrypted = () => refusal(422, 'files.archive-encrypted')

const unknownMethod = (name: string) =>
  refusal(422, 'files.archive-unknown.method', { name: name.slice(0, 200) })
