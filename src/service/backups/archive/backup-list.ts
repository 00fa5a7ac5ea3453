import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { requireDepth, partsOf } from '../../files/names/names.ts'
import { Yielder } from '../../../host/yield.ts'
import type { BackupEntry } from '../backup-store.ts'
import { FRAME_PACKED_MOST, ArchiveDamage } from './frames.ts'

/** `at`: where its bytes begin in the unpacked archive. */
export interface ListedEntry extends BackupEntry {
  at: number
  sha256: string
}

/** A frame of the archive, or an entry whose bytes are in the frames. */
export type ListLine = { frame: number } | { entry: ListedEntry }

const FORMAT = 1
const GATHERED = 1024 * 1024
/** Limits of what is read back. */
const LIST_BYTES = 512 * 1024 * 1024
const LINE_CHARS = 32 * 1024
const LINES_MOST = 5_000_000

/** A line of JSON for each frame and entry, compressed as it grows: in one piece, since Node reads no more of it. */
export class ListWriter {
  readonly #packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  readonly #written: Promise<void>
  #lines = `${JSON.stringify(['wheelhouse-backup', FORMAT])}\n`
  #count = 0

  constructor(handle: FileHandle) {
    this.#packing.on('error', () => undefined)
    this.#written = writeAll(this.#packing, handle)
    this.#written.catch(() => undefined)
  }

  frame(packedBytes: number): Promise<void> {
    return this.#write([packedBytes])
  }

  entry({ path, kind, size, modifiedAt, mode, at, sha256 }: ListedEntry): Promise<void> {
    const common = [kind === 'folder' ? 'd' : 'f', path, Math.round(modifiedAt), mode]
    return this.#write(kind === 'folder' ? common : [...common, size, at, sha256])
  }

  async end(): Promise<void> {
    this.#lines += `${JSON.stringify(['end', this.#count])}\n`
    await this.#flush()
    this.#packing.end()
    await this.#written
  }

  async #write(line: readonly (string | number)[]): Promise<void> {
    this.#lines += `${JSON.stringify(line)}\n`
    this.#count++
    if (this.#lines.length >= GATHERED) await this.#flush()
  }

  async #flush(): Promise<void> {
    const lines = this.#lines
    this.#lines = ''
    if (!this.#packing.write(lines)) await Promise.race([once(this.#packing, 'drain'), this.#written])
  }
}

async function writeAll(chunks: AsyncIterable<Buffer>, handle: FileHandle): Promise<void> {
  for await (const chunk of chunks) await handle.writeFile(chunk)
}

/** Throws `ArchiveDamage` at the first line that can't be ours, and where the end is missing. */
export async function* readList(file: string): AsyncGenerator<ListLine, void, undefined> {
  await using handle = await open(file, 'r')
  let count = 0
  let isEnded = false
  for await (const line of linesOf(handle)) {
    if (isEnded || ++count > LINES_MOST) throw new ArchiveDamage()
    const read = parsed(line)
    if (count === 1) {
      if (read[0] !== 'wheelhouse-backup' || read[1] !== FORMAT) throw new ArchiveDamage()
    } else if (read[0] === 'end') {
      if (read[1] !== count - 2) throw new ArchiveDamage()
      isEnded = true
    } else yield lineOf(read)
  }
  if (!isEnded) throw new ArchiveDamage()
}

async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  const unpacking = createZstdDecompress({ chunkSize: 64 * 1024 })
  const fed = pipeline(handle.createReadStream({ autoClose: false }), unpacking)
  fed.catch(() => undefined)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const yielder = new Yielder()
  let [rest, bytes] = ['', 0]
  try {
    for await (const chunk of unpacking as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > LIST_BYTES) throw new ArchiveDamage()
      await yielder.next()
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop()!
      if (rest.length > LINE_CHARS) throw new ArchiveDamage()
      yield* lines
    }
    await fed
    // What is behind the end of the packed list isn't unpacked.
    if (unpacking.bytesWritten !== (await handle.stat()).size) throw new ArchiveDamage()
  } catch (error) {
    // What the disk says is no damage of the content.
    if (typeof (error as NodeJS.ErrnoException).errno === 'number' && isDisk(error)) throw error
    throw new ArchiveDamage()
  } finally {
    unpacking.destroy()
  }
  if (rest !== '') throw new ArchiveDamage()
}

const isDisk = (error: unknown): boolean => /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')

function parsed(line: string): unknown[] {
  try {
    const read: unknown = line.length <= LINE_CHARS ? JSON.parse(line) : null
    if (Array.isArray(read)) return read as unknown[]
  } catch {
    // As below.
  }
  throw new ArchiveDamage()
}

const isAmount = (value: unknown, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most

function lineOf(read: unknown[]): ListLine {
  if (read.length === 1 && isAmount(read[0], FRAME_PACKED_MOST)) return { frame: read[0] }
  const [kind, path, modifiedAt, mode, size = 0, at = 0, sha256 = ''] = read
  const isTime = Number.isSafeInteger(modifiedAt) && Math.abs(modifiedAt as number) < 8.64e15
  if (!isTime || !isAmount(mode, 0o7777) || typeof path !== 'string' || !isOurs(path))
    throw new ArchiveDamage()
  const common = { path, modifiedAt: modifiedAt as number, mode }
  if (kind === 'd') return { entry: { ...common, kind: 'folder', size: 0, at: 0, sha256: '' } }
  const isFile = kind === 'f' && isAmount(size) && isAmount(at) && typeof sha256 === 'string'
  if (!isFile || !isAmount(at + size) || !/^[\da-f]{64}$/.test(sha256)) throw new ArchiveDamage()
  return { entry: { ...common, kind: 'file', size, at, sha256 } }
}

/** Not outside, and not deeper than anything here may be. */
export function isOurs(path: string): boolean {
  try {
    requireDepth(path)
    return partsOf(path).length > 0
  } catch {
    return false
  }
}
