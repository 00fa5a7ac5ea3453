import { createWriteStream, rmSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as createTar } from 'tar-stream'
import type { Conflict } from '../../../contract/areas/values/file-values.ts'
import { Patience } from '../../base/patience.ts'
import { commonFolder, listTree, nameIn, readTree, type ArchiveItem } from './archive-entries.ts'
import { zipOf } from './archive-zip.ts'
import { reserving } from '../quota/reservations.ts'
import type { JobProgress } from '../jobs.ts'
import { asRefusal, exists } from '../names/refusals.ts'
import type { ServerFiles } from '../server-files.ts'

interface ArchiveWish {
  paths: string[]
  to: string
  format: 'zip' | 'tar.gz'
  conflict: Conflict
}

/** Puts the archive in place once complete. Throws file refusals. */
export async function packArchive(
  files: ServerFiles,
  wish: ArchiveWish,
  progress: JobProgress,
): Promise<void> {
  const { signal } = progress
  const listed = await listTree(files, wish.paths, progress)
  progress.total(listed.bytes, listed.count)
  const base = commonFolder(wish.paths)
  const entries = readTree(files, listed, progress)
  const nameOf = (path: string) => nameIn(base, path)
  const temp = files.newTemp()
  try {
    const write = wish.format === 'zip' ? writeZip : writeTar
    using reservation = await files.space.reserve(0)
    const target = createWriteStream(temp, { flags: 'wx', mode: 0o600, highWaterMark: 1024 * 1024 })
    await write(
      entries,
      nameOf,
      (stream) => pipeline(stream, reserving(reservation), target, { signal }),
      progress,
    )
    progress.finish()
    const committed = await files.commit(temp, wish.to, { conflict: wish.conflict })
    if (committed.outcome === 'skipped') throw exists(wish.to)
  } catch (error) {
    throw asRefusal(error, wish.to)
  } finally {
    rmSync(temp, { force: true })
  }
}

type Sink = (stream: Readable) => Promise<void>
type ArchiveWriter = (
  entries: AsyncGenerator<ArchiveItem>,
  nameOf: (path: string) => string,
  sink: Sink,
  progress: JobProgress,
) => Promise<void>

const writeZip: ArchiveWriter = (entries, nameOf, sink, progress) =>
  sink(Readable.from(zipOf(entries, nameOf, progress), { objectMode: false, highWaterMark: 1024 * 1024 }))

const writeTar: ArchiveWriter = async (entries, nameOf, sink, progress) => {
  const tar = createTar()
  // After a broken pipe, each entry emits an error event, which would crash the service if unhandled.
  const unheard = () => {}
  tar.on('error', unheard)
  const source = Readable.from(tar, { objectMode: false })
  const gzip = createGzip({ chunkSize: 256 * 1024 })
  const sunk = Promise.all([pipeline(source, gzip), sink(gzip)])
  const patience = new Patience()
  sunk.catch((error: unknown) => patience.giveUp(error as Error))
  try {
    for await (const entry of entries) {
      const header = { name: nameOf(entry.path), mtime: entry.modifiedAt, mode: entry.mode }
      const done = Promise.withResolvers<void>()
      // The loop may end before awaiting this one.
      done.promise.catch(unheard)
      const callback = (error?: Error | null) => (error ? done.reject(error) : done.resolve())
      if (entry.kind === 'folder') {
        tar.entry({ ...header, name: `${header.name}/`, type: 'directory' }, callback).on('error', unheard)
        await patience.wait(done.promise)
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
          if (!into.write(chunk)) await patience.wait(new Promise((resolve) => into.once('drain', resolve)))
        }
        into.end()
      }
      await patience.wait(done.promise)
      progress.add(0, 1)
    }
    tar.finalize()
    await sunk
  } catch (error) {
    // Report why writing failed, not the resulting premature close.
    const cutOff = tar.destroying
    tar.destroy()
    const why: unknown = await sunk.catch((reason: unknown) => reason)
    throw cutOff ? (why ?? error) : error
  }
}

/** Exactly as many bytes as the header says: the file may have grown or shrunk. */
async function* exactly(
  entry: ArchiveItem & { kind: 'large' },
  progress: JobProgress,
): AsyncGenerator<Buffer> {
  let missing = entry.size
  const stream = entry.handle.createReadStream({
    end: entry.size - 1,
    highWaterMark: 1024 * 1024,
    autoClose: false,
  })
  for await (const chunk of stream) {
    progress.signal.throwIfAborted()
    missing -= chunk.length
    progress.add(chunk.length, 0)
    yield chunk
  }
  for (; missing > 0; missing -= 65_536) yield Buffer.alloc(Math.min(missing, 65_536))
}
