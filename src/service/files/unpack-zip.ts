import type { FileHandle } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { fromFdPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl'
import { Refusal } from '../refusal.ts'
import type { JobProgress } from './jobs.ts'
import { broken, type Unpacking } from './unpack.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** A file up to this size is unpacked in memory, in bytes. */
const SMALL = 512 * 1024
const STORED = 0
const DEFLATED = 8

/** Unpacks a zip. Links in it are left out. Throws 422 `files.archive-encrypted`, `files.archive-broken` and its bounds. */
export async function unpackZip(handle: FileHandle, into: Unpacking, progress: JobProgress): Promise<void> {
  // Names come as bytes, so that ours is the one place where they are judged.
  const zip = await fromFdPromise(handle.fd, {
    autoClose: false,
    lazyEntries: true,
    decodeStrings: false,
  }).catch(() => {
    throw broken()
  })
  const entries: Entry[] = []
  // Before the first is read: all are held at once.
  into.announce(0, zip.entryCount)
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch {
    throw broken()
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  into.announce(bytes, entries.length)
  progress.total(bytes, entries.filter((entry) => !nameOf(entry).endsWith('/')).length)
  // All are judged before the first is written.
  for (const entry of entries) if (entry.isEncrypted()) throw encrypted()
  for (const entry of entries) {
    const name = nameOf(entry)
    if (name.endsWith('/')) into.folder(name)
    else if (isPlain(entry)) await unpackEntry(zip, handle, entry, name, into)
    else progress.leaveOut()
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

const encrypted = () =>
  new Refusal(
    422,
    'files.archive-encrypted',
    'This archive is protected by a password. Unpack it on your computer, and upload what it holds.',
  )

const unknownMethod = (name: string) =>
  new Refusal(
    422,
    'files.archive-unknown',
    `“${name.slice(0, 200)}” is packed in a way that is not known here. Pack it again as a usual zip.`,
  )
