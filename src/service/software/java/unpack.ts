import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import type { Entry } from 'yauzl'
import { fullDisk } from '../../../host/disk-errors.ts'
import { entriesOf, openZip } from '../../../host/open-zip.ts'
import { ExtractionFolder, type UnpackLimits } from './unpacked.ts'

/** A JDK has about 500 files and 350 MiB. */
const LIMITS: UnpackLimits = { mostEntries: 20_000, mostBytes: 2 * 1024 ** 3, mostDepth: 32 }
const KIND = 0o170000
const LINK = 0o120000
const FILE = 0o100000
const FOLDER = 0o040000

/** Rejects with a sentence if damaged, too large, or escaping the folder; the caller removes what was written. */
export async function unpack(
  archive: string,
  format: 'tar.gz' | 'zip',
  folder: string,
  signal: AbortSignal,
  limits: Partial<UnpackLimits> = {},
): Promise<void> {
  const into = new ExtractionFolder(folder, { ...LIMITS, ...limits })
  try {
    await (format === 'zip' ? unpackZip(archive, into, signal) : unpackTar(archive, into, signal))
    await into.finish(signal)
  } catch (error) {
    signal.throwIfAborted()
    if (into.refused) throw into.refused
    if (fullDisk(error)) throw error
    throw new Error('The archive is damaged. Delete it, and download it again.', { cause: error })
  } finally {
    // Close all files before the caller removes them.
    await into.settled()
  }
}

async function unpackTar(archive: string, into: ExtractionFolder, signal: AbortSignal): Promise<void> {
  const entries = extract()
  const fed = pipeline(
    createReadStream(archive, { highWaterMark: 1024 * 1024 }),
    createGunzip({ chunkSize: 256 * 1024 }),
    (source) => counted(source, into),
    entries,
    { signal },
  )
  fed.catch((error: unknown) => entries.destroy(error as Error))
  try {
    for await (const entry of entries) {
      await unpackTarEntry(entry.header, entry as AsyncIterable<Uint8Array>, into)
      entry.resume()
    }
    await fed
  } finally {
    entries.destroy()
    await fed.catch(() => undefined)
  }
}

async function unpackTarEntry(
  header: Header,
  content: AsyncIterable<Uint8Array>,
  into: ExtractionFolder,
): Promise<void> {
  const { name, type, linkname, mode = 0o644 } = header
  if (type === 'directory') await into.folder(name)
  else if (type === 'symlink') into.link(name, linkname ?? '')
  else if (type === 'link') into.copy(name, linkname ?? '')
  else if (type === 'file' || type === 'contiguous-file') await into.file(name, mode, content)
  else
    throw into.refuse(
      `it contains ${JSON.stringify(name.slice(0, 100))}, which is neither a file nor a folder`,
    )
}

async function unpackZip(archive: string, into: ExtractionFolder, signal: AbortSignal): Promise<void> {
  const zip = await openZip(archive)
  try {
    for await (const entry of entriesOf(zip)) {
      signal.throwIfAborted()
      await unpackZipEntry(entry, into, () => zip.openReadStreamPromise(entry))
    }
  } finally {
    zip.close()
  }
}

async function unpackZipEntry(
  entry: Entry,
  into: ExtractionFolder,
  open: () => Promise<Readable>,
): Promise<void> {
  const mode = entry.externalFileAttributes >>> 16
  const kind = mode & KIND
  const name = entry.fileName
  if (name.endsWith('/')) return into.folder(name)
  if (kind === LINK || (kind !== 0 && kind !== FILE && kind !== FOLDER))
    throw into.refuse(
      `it contains ${JSON.stringify(name.slice(0, 100))}, which is neither a file nor a folder`,
    )
  await into.file(name, mode || 0o644, counted(await open(), into))
}

/** Count everything: headers compress best. */
async function* counted(source: AsyncIterable<Buffer>, into: ExtractionFolder): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    into.cameOut(chunk.length)
    yield chunk
  }
}
