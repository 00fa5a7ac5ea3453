import type { FileHandle } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../refusal.ts'
import type { JobProgress } from '../jobs.ts'
import { readTar, type TarEntry, type TarHeader } from './tar-reader.ts'
import { timeOf } from './tar-time.ts'
import { broken, swollen, type Unpacking } from './unpack.ts'

/** A file up to this size is written at once, in bytes. */
const SMALL = 512 * 1024

/** Unpacks a tar, packed with gzip or not. Links and devices in it are left out. Throws 422 `files.archive-broken`. */
export async function unpackTar(
  handle: FileHandle,
  gzipped: boolean,
  into: Unpacking,
  progress: JobProgress,
): Promise<void> {
  const { signal } = progress
  const source = handle.createReadStream({ start: 0, highWaterMark: 256 * 1024, autoClose: false })
  const unzipped = gzipped ? createGunzip({ chunkSize: 256 * 1024 }) : new PassThrough()
  const fed = pipeline(source, unzipped, { signal })
  fed.catch(() => {})
  try {
    for await (const { header, content } of readTar(counted(unzipped, into), swollen)) {
      if (header.type === 'directory') into.folder(header.name)
      else if (header.type === 'file')
        await into.file(header.name, header.size, await contentOf(content, header), aboutOf(header))
      else {
        into.partsOf('left-out')
        progress.leaveOut()
      }
    }
    await fed
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Refusal ? error : broken()
  } finally {
    unzipped.destroy()
    source.destroy()
  }
}

/** All that comes out counts, not only what is in files: headers and what is behind the end pack best. */
async function* counted(source: AsyncIterable<Buffer>, into: Unpacking): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    into.cameOut(chunk.length)
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
