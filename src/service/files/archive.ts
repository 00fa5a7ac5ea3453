import { createWriteStream, rmSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as createTar } from 'tar-stream'
import { ZipFile } from 'yazl'
import type { Conflict } from '../../contract/api/file-values.ts'
import { commonFolder, listTree, readTree, type Packed } from './archive-entries.ts'
import { claiming } from './claims.ts'
import type { JobProgress } from './jobs.ts'
import { asRefusal, exists } from './refusals.ts'
import type { ServerFiles } from './server-files.ts'

export interface ArchiveWish {
  paths: string[]
  to: string
  format: 'zip' | 'tar.gz'
  conflict: Conflict
}

/** What gets no smaller by packing: it is only put in. */
const PACKED = /\.(?:jar|zip|gz|tgz|xz|zst|7z|rar|png|jpe?g|webp|gif|ogg|mp3|mp4|webm)$/i
/** Small files that a zip takes together: as many, or of so many bytes. */
const BATCH = 64
const BATCH_BYTES = 8 * 1024 * 1024

/** Packs files and folders into an archive, which is placed when it is whole. Throws the refusals of files. */
export async function packArchive(
  files: ServerFiles,
  wish: ArchiveWish,
  progress: JobProgress,
): Promise<void> {
  const { signal } = progress
  const listed = await listTree(files, wish.paths, signal)
  progress.total(listed.bytes, listed.count)
  const base = commonFolder(wish.paths)
  const entries = readTree(files, listed, signal)
  const nameOf = (path: string) => (base === '' ? path : path.slice(base.length + 1))
  const temp = files.newTemp()
  try {
    const write = wish.format === 'zip' ? writeZip : writeTar
    using claim = await files.space.claim(0)
    const target = createWriteStream(temp, { flags: 'wx', mode: 0o600, highWaterMark: 1024 * 1024 })
    await write(entries, nameOf, (stream) => pipeline(stream, claiming(claim), target, { signal }), progress)
    progress.finish()
    const placed = await files.place(temp, wish.to, { conflict: wish.conflict })
    if (placed.outcome === 'skipped') throw exists(wish.to)
  } catch (error) {
    throw asRefusal(error, wish.to)
  } finally {
    rmSync(temp, { force: true })
  }
}

type Sink = (stream: Readable) => Promise<void>
type Write = (
  entries: AsyncGenerator<Packed>,
  nameOf: (path: string) => string,
  sink: Sink,
  progress: JobProgress,
) => Promise<void>

const writeZip: Write = async (entries, nameOf, sink, progress) => {
  const zip = new ZipFile()
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject))
  const sunk = sink(zip.outputStream as Readable)
  const broken = Promise.race([failed, sunk.then(() => new Promise<never>(() => {}))])
  for (const promise of [failed, sunk, broken]) promise.catch(() => {})
  let batch = { count: 0, bytes: 0 }
  for await (const entry of entries) {
    const name = nameOf(entry.path)
    const options = { mtime: entry.modifiedAt, mode: entry.mode | 0o100000, compress: !PACKED.test(name) }
    if (entry.kind === 'folder') {
      zip.addEmptyDirectory(name, { mtime: entry.modifiedAt, mode: entry.mode | 0o040000 })
      continue
    }
    const waits = batch.count < BATCH && batch.bytes < BATCH_BYTES
    if (entry.kind === 'file' && (waits || entry.data.length === 0)) {
      zip.addBuffer(entry.data, name, options)
      batch = { count: batch.count + 1, bytes: batch.bytes + entry.data.length }
      progress.add(entry.data.length, 1)
      continue
    }
    // A stream is asked for only when all before it is written: so no more than a batch waits in memory.
    batch = { count: 0, bytes: 0 }
    const stream =
      entry.kind === 'file'
        ? Readable.from([entry.data], { objectMode: false })
        : entry.handle.createReadStream({ highWaterMark: 1024 * 1024 })
    stream.on('data', (chunk: Buffer) => progress.add(chunk.length, 0))
    stream.pause()
    const turn = new Promise<void>((resolve, reject) => {
      stream.once('error', reject)
      if (entry.kind === 'large') stream.once('close', resolve)
      zip.addReadStreamLazy(name, options, (give) => {
        give(null, stream)
        if (entry.kind === 'file') resolve()
      })
    })
    try {
      await Promise.race([turn, broken])
    } catch (error) {
      stream.destroy()
      throw error
    }
    progress.add(0, 1)
  }
  zip.end()
  await Promise.race([failed, sunk])
}

const writeTar: Write = async (entries, nameOf, sink, progress) => {
  const tar = createTar()
  // Where the way to the disk breaks, each entry on it is told by an error event too: unheard, it would end the service.
  const unheard = () => {}
  tar.on('error', unheard)
  const source = Readable.from(tar, { objectMode: false })
  const gzip = createGzip({ chunkSize: 256 * 1024 })
  const sunk = Promise.all([pipeline(source, gzip), sink(gzip)])
  const broken = sunk.then(() => new Promise<never>(() => {}))
  for (const promise of [sunk, broken]) promise.catch(() => {})
  try {
    for await (const entry of entries) {
      const header = { name: nameOf(entry.path), mtime: entry.modifiedAt, mode: entry.mode }
      const done = Promise.withResolvers<void>()
      // Where it is left before anybody waits for this one.
      done.promise.catch(unheard)
      const callback = (error?: Error | null) => (error ? done.reject(error) : done.resolve())
      if (entry.kind === 'folder') {
        tar.entry({ ...header, name: `${header.name}/`, type: 'directory' }, callback).on('error', unheard)
        await Promise.race([done.promise, broken])
        continue
      }
      if (entry.kind === 'file') {
        tar
          .entry({ ...header, type: 'file', size: entry.data.length }, entry.data, callback)
          .on('error', unheard)
        progress.add(entry.data.length, 0)
      } else {
        await using _closed = entry.handle
        const into = tar.entry({ ...header, type: 'file', size: entry.size }, callback) as unknown as Writable
        into.on('error', unheard)
        for await (const chunk of exactly(entry, progress)) {
          if (!into.write(chunk))
            await Promise.race([new Promise((resolve) => into.once('drain', resolve)), broken])
        }
        into.end()
      }
      await Promise.race([done.promise, broken])
      progress.add(0, 1)
    }
    tar.finalize()
    await sunk
  } catch (error) {
    // Where it could not be written on, that is why, not that there was nothing to write to any more.
    const cutOff = tar.destroying
    tar.destroy()
    const why: unknown = await sunk.catch((reason: unknown) => reason)
    throw cutOff ? (why ?? error) : error
  }
}

/** As many bytes as the header says: a file that a server writes to meanwhile may have grown, or be shorter. */
async function* exactly(entry: Packed & { kind: 'large' }, progress: JobProgress): AsyncGenerator<Buffer> {
  let missing = entry.size
  const stream = entry.handle.createReadStream({
    end: entry.size - 1,
    highWaterMark: 1024 * 1024,
    autoClose: false,
  })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    progress.signal.throwIfAborted()
    missing -= chunk.length
    progress.add(chunk.length, 0)
    yield chunk
  }
  for (; missing > 0; missing -= 65_536) yield Buffer.alloc(Math.min(missing, 65_536))
}
