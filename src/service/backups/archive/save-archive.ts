import { createHash } from 'node:crypto'
import { type BigIntStats, readlinkSync } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { behind } from '../../base/priority.ts'
import { Yielder } from '../../../host/yield.ts'
import { onDisk } from '../../files/names/raw-names.ts'
import { READ_FLAGS } from '../../files/safe-fs/open-in.ts'
import type { BackupSource, SavedBackup, SourceEntry, StorePorts } from '../backup-store.ts'
import { timeOf } from '../../../host/file-time.ts'
import { isOurs, type ListWriter } from './backup-list.ts'
import type { FrameWriter } from './frames.ts'
import { paddingOf, TAR_END, tarHeader } from './tar-records.ts'

/** Larger files are read while they are packed. */
const WHOLE_BYTES = 1024 * 1024
/** Of larger files, read while the piece before is packed. */
const PIECE_BYTES = 2 * 1024 * 1024
const NAMED_MOST = 1000
const ZEROS = Buffer.alloc(64 * 1024)
/** Only ever grows, so what was read is whole. */
const GROWS = /\.log$/

/** Files that change while they are read are read again: the last entry of a name counts, here as for every tar. */
export class ArchiveSaving {
  readonly #frames: FrameWriter
  readonly #list: ListWriter
  readonly #ports: StorePorts
  readonly #yielder = new Yielder()
  readonly #chunk = Buffer.allocUnsafeSlow(WHOLE_BYTES)
  readonly #pieces = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const
  readonly #again: SourceEntry[] = []
  readonly #missing: SavedBackup['missing'] = []
  #bytes = 0
  #files = 0

  constructor(frames: FrameWriter, list: ListWriter, ports: StorePorts) {
    this.#frames = frames
    this.#list = list
    this.#ports = ports
  }

  async all(source: BackupSource): Promise<Omit<SavedBackup, 'addedBytes'>> {
    for await (const entry of source.entries()) {
      await this.#step()
      if (!isOurs(entry.path)) this.#miss(entry.path, 'unreadable')
      else if (entry.kind === 'file') await this.#file(entry, false)
      else {
        const folder = { ...entry, size: 0, mode: entry.mode & 0o777 }
        await this.#frames.write(tarHeader(folder))
        await this.#list.entry({ ...folder, at: 0, sha256: '' })
      }
    }
    for (const entry of this.#again) await this.#file(entry, true)
    await this.#frames.write(TAR_END)
    await this.#frames.end()
    await this.#list.end()
    return { bytes: this.#bytes, files: this.#files, missing: this.#missing }
  }

  async #step(): Promise<void> {
    await this.#yielder.next()
    this.#ports.signal.throwIfAborted()
  }

  #miss(path: string, reason: 'changed' | 'unreadable'): void {
    if (this.#missing.length < NAMED_MOST) this.#missing.push({ path, reason })
  }

  async #file(entry: SourceEntry, isLast: boolean): Promise<void> {
    let handle: FileHandle | null
    try {
      handle = await opened(entry.from)
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      return this.#miss(entry.path, isGone ? 'changed' : 'unreadable')
    }
    if (!handle) return this.#miss(entry.path, 'unreadable')
    await using _closed = handle
    const stat = await handle.stat({ bigint: true })
    if (Number(stat.size) <= WHOLE_BYTES) await this.#small(entry, handle, stat)
    else await this.#large(entry, handle, stat, isLast)
  }

  /** Read before anything is written, so a second look costs nothing. */
  async #small(entry: SourceEntry, handle: FileHandle, stat: BigIntStats): Promise<void> {
    let before = stat
    for (let tries = 1; ; tries++) {
      const size = Math.min(Number(before.size), WHOLE_BYTES)
      const read = await behind(() => fill(handle, this.#chunk, size, 0))
      const after = await handle.stat({ bigint: true })
      const isWhole = read === size && isSame(entry.path, before, after)
      if (!isWhole && tries === 1) {
        before = after
        continue
      }
      if (!isWhole) this.#miss(entry.path, 'changed')
      const data = this.#chunk.subarray(0, read)
      const own = this.#entryOf(entry, before, read)
      await this.#frames.write(tarHeader(own))
      const at = this.#frames.at
      await this.#frames.write(data)
      await this.#frames.write(paddingOf(read))
      const sha256 = createHash('sha256').update(data).digest('hex')
      return this.#wrote({ ...own, at, sha256 })
    }
  }

  async #large(entry: SourceEntry, handle: FileHandle, stat: BigIntStats, isLast: boolean): Promise<void> {
    const size = Number(stat.size)
    const own = this.#entryOf(entry, stat, size)
    await this.#frames.write(tarHeader(own))
    const at = this.#frames.at
    const hash = createHash('sha256')
    let done = 0
    for await (const data of this.#piecesOf(handle, size)) {
      hash.update(data)
      await this.#frames.write(data)
      done += data.length
      this.#ports.progress(this.#bytes + done, null)
    }
    const isShort = done < size
    // The header promised so many.
    for (; done < size; done += Math.min(ZEROS.length, size - done)) {
      const zeros = ZEROS.subarray(0, Math.min(ZEROS.length, size - done))
      hash.update(zeros)
      await this.#frames.write(zeros)
    }
    await this.#frames.write(paddingOf(size))
    const isWhole = !isShort && isSame(entry.path, stat, await handle.stat({ bigint: true }))
    if (!isWhole && !isLast) return void this.#again.push(entry)
    if (!isWhole) this.#miss(entry.path, 'changed')
    await this.#wrote({ ...own, at, sha256: hash.digest('hex') })
  }

  /** Each is valid until the next one is asked for. */
  async *#piecesOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
    const read = async (at: number, into: Buffer) => {
      const wanted = Math.min(into.length, size - at)
      return into.subarray(0, await behind(() => fill(handle, into, wanted, at)))
    }
    let [into, other] = this.#pieces
    let coming = read(0, into)
    try {
      for (let at = 0; at < size;) {
        await this.#step()
        const piece = await coming
        if (piece.length === 0) return
        at += piece.length
        ;[into, other] = [other, into]
        if (at < size) coming = read(at, into)
        yield piece
      }
    } finally {
      // Nothing reads any more when the file is closed.
      await coming.catch(() => undefined)
    }
  }

  #entryOf({ path }: SourceEntry, stat: BigIntStats, size: number) {
    const mode = Number(stat.mode) & 0o777
    return { path, kind: 'file' as const, size, modifiedAt: timeOf(stat), mode }
  }

  async #wrote(entry: Parameters<ListWriter['entry']>[0]): Promise<void> {
    await this.#list.entry(entry)
    this.#bytes += entry.size
    this.#files++
    this.#ports.progress(this.#bytes, null)
  }
}

const isSame = (path: string, before: BigIntStats, after: BigIntStats): boolean =>
  (before.size === after.size && before.mtimeNs === after.mtimeNs) ||
  (GROWS.test(path) && after.size > before.size)

/** Null if it isn't a file, or no longer at its own place: a link may lead elsewhere. */
async function opened(from: string): Promise<FileHandle | null> {
  const handle = await open(onDisk(from), READ_FLAGS)
  try {
    if ((await handle.stat()).isFile() && (await isAt(handle, from))) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return null
}

async function isAt(handle: FileHandle, from: string): Promise<boolean> {
  if (process.platform !== 'linux') return (await realpath(from)) === from
  return readlinkSync(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' }).equals(
    Buffer.from(onDisk(from) as string),
  )
}

async function fill(handle: FileHandle, into: Buffer, size: number, position: number): Promise<number> {
  let at = 0
  while (at < size) {
    const { bytesRead } = await handle.read(into, at, size - at, position + at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return at
}
