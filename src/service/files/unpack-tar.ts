import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { Refusal } from '../refusal.ts'
import type { JobProgress } from './jobs.ts'
import { timeOf } from './tar-time.ts'
import { broken, type Unpacking } from './unpack.ts'

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
  const tar = extract()
  const source = handle.createReadStream({ start: 0, highWaterMark: 256 * 1024, autoClose: false })
  const asNode = tar as unknown as NodeJS.WritableStream
  const fed = gzipped
    ? pipeline(source, createGunzip({ chunkSize: 256 * 1024 }), asNode, { signal })
    : pipeline(source, asNode, { signal })
  fed.catch(() => {})
  try {
    for await (const entry of tar) {
      const { header } = entry
      if (header.type === 'directory') into.folder(header.name)
      else if (header.type === 'file' || header.type === 'contiguous-file') {
        await into.file(header.name, header.size, await contentOf(entry, header), aboutOf(header))
      } else progress.leaveOut()
      entry.resume()
    }
    await fed
  } catch (error) {
    tar.destroy()
    signal.throwIfAborted()
    throw error instanceof Refusal ? error : broken()
  }
}

async function contentOf(entry: AsyncIterable<unknown>, header: Header): Promise<Buffer | Readable> {
  if (header.size > SMALL) return Readable.from(entry, { objectMode: false })
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const aboutOf = (header: Header) => ({ modifiedAt: new Date(timeOf(header) ?? NaN), mode: header.mode })
