import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, type ZlibOptions } from 'node:zlib'
import type { ArchiveItem } from './archive-entries.ts'
import { ZipRecords, type ZipEntry } from './archive-zip-records.ts'
import type { JobProgress } from '../jobs.ts'

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw)

/** Already compressed: stored as is. */
const PACKED = /\.(?:jar|zip|gz|tgz|xz|zst|7z|rar|png|jpe?g|webp|gif|ogg|mp3|mp4|webm)$/i
/** Small files compressed in parallel; bounds memory use. */
const AT_ONCE = 16
const GATHERED = 256 * 1024

interface LoadedEntry {
  entry: ZipEntry
  data: Buffer
  size: number | null
}

/** Streams a zip. Keeps only the directory entry of files already sent. */
export async function* zipOf(
  entries: AsyncIterable<ArchiveItem>,
  nameOf: (path: string) => string,
  progress: JobProgress,
): AsyncGenerator<Buffer> {
  const records = new ZipRecords()
  const ahead: Promise<LoadedEntry>[] = []
  let gathered: Buffer[] = []
  let bytes = 0
  const write = (...chunks: Buffer[]) => {
    for (const chunk of chunks) {
      gathered.push(chunk)
      bytes += chunk.length
    }
  }
  const next = async (): Promise<void> => {
    const { entry, data, size } = (await ahead.shift())!
    const { header, listed } = records.begin(entry)
    write(header, data)
    records.wrote(data.length)
    if (entry.sums) listed(entry.sums)
    if (size !== null) progress.add(size, 1)
  }
  function* given(): Generator<Buffer> {
    if (bytes > 0) yield Buffer.concat(gathered)
    gathered = []
    bytes = 0
  }
  for await (const packed of entries) {
    if (packed.kind !== 'large') {
      const whole = wholeOf(packed, nameOf(packed.path))
      // The consumer may stop before awaiting this one.
      whole.catch(() => {})
      ahead.push(whole)
      if (ahead.length < AT_ONCE) continue
      await next()
      if (bytes >= GATHERED) yield* given()
      continue
    }
    await using _closed = packed.handle
    while (ahead.length > 0) await next()
    yield* given()
    yield* largeOf(packed, nameOf(packed.path), records, progress)
    progress.add(0, 1)
  }
  while (ahead.length > 0) await next()
  yield* given()
  yield* records.end()
}

async function wholeOf(
  packed: ArchiveItem & { kind: 'file' | 'folder' },
  name: string,
): Promise<LoadedEntry> {
  const { modifiedAt } = packed
  if (packed.kind === 'folder') {
    const mode = packed.mode | 0o040000
    const sums = { crc: 0, size: 0, packedSize: 0 }
    const entry = { name: `${name}/`, modifiedAt, mode, deflated: false, sums, expected: 0 }
    return { entry, data: Buffer.alloc(0), size: null }
  }
  // The default of 16 KiB per small file would dominate memory use.
  const chunkSize = Math.min(packed.data.length + 64, 64 * 1024)
  const smaller = PACKED.test(name) ? null : await deflate(packed.data, { chunkSize })
  const deflated = smaller !== null && smaller.length < packed.data.length
  const data = deflated ? smaller : packed.data
  const size = packed.data.length
  const sums = { crc: crc32(packed.data), size, packedSize: data.length }
  const mode = packed.mode | 0o100000
  return { entry: { name, modifiedAt, mode, deflated, sums, expected: size }, data, size }
}

/** Compresses while reading, up to the original size: a log that keeps growing would never end. */
async function* largeOf(
  { handle, size: expected, modifiedAt, mode }: ArchiveItem & { kind: 'large' },
  name: string,
  records: ZipRecords,
  progress: JobProgress,
): AsyncGenerator<Buffer> {
  const deflated = !PACKED.test(name)
  const entry = { name, modifiedAt, mode: mode | 0o100000, deflated, sums: null, expected }
  const { header, listed } = records.begin(entry)
  yield header
  const sums = { crc: 0, size: 0, packedSize: 0 }
  const read = async function* () {
    const stream = handle.createReadStream({
      end: expected - 1,
      highWaterMark: 1024 * 1024,
      autoClose: false,
    })
    for await (const chunk of stream) {
      progress.signal.throwIfAborted()
      sums.crc = crc32(chunk, sums.crc)
      sums.size += chunk.length
      progress.add(chunk.length, 0)
      yield chunk
    }
  }
  for await (const chunk of deflated ? deflatedOf(read()) : read()) {
    sums.packedSize += chunk.length
    records.wrote(chunk.length)
    yield chunk
  }
  yield records.after(entry, sums)
  listed(sums)
}

async function* deflatedOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packing = createDeflateRaw({ chunkSize: 256 * 1024 })
  const fed = pipeline(chunks, packing)
  fed.catch(() => {})
  yield* packing as AsyncIterable<Buffer>
  await fed
}
