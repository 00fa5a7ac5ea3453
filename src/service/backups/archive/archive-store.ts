import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { diskPath } from '../../files/names/raw-names.ts'
import { parentOf } from '../../../contract/rules/paths.ts'
import type {
  BackupCheck,
  BackupEntry,
  BackupSource,
  BackupStore,
  SavedBackup,
  StorePorts,
} from '../backup-store.ts'
import { type ListedEntry, ListWriter, readList } from './backup-list.ts'
import { FrameReader, FrameWriter, ArchiveDamage } from './frames.ts'
import {
  bare,
  entriesOf,
  findEntry,
  keepRecord,
  makeFolder,
  damaged,
  damagedFile,
  notInBackup,
} from '../entries/entries.ts'
import { ArchiveSaving } from './save-archive.ts'

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const ARCHIVE = '.tar.zst'
const LIST = '.list.zst'
const UNFINISHED = '.new'
const NAMED_MOST = 100

/** One `.tar.zst` per backup and a list of what is where in it. A backup is whole once its archive has its name. */
export class ArchiveStore implements BackupStore {
  readonly #folder: string

  /** @param folder for one server only */
  constructor(folder: string) {
    this.#folder = folder
  }

  async save(id: string, source: BackupSource, ports: StorePorts): Promise<SavedBackup> {
    const files = this.#filesOf(id)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    try {
      const saved = await this.#write(files, source, ports)
      ports.signal.throwIfAborted()
      await rename(files.list + UNFINISHED, files.list)
      await rename(files.archive + UNFINISHED, files.archive)
      await flushFolder(this.#folder)
      const sizes = await Promise.all([stat(files.archive), stat(files.list)])
      return { ...saved, addedBytes: sizes.reduce((sum, { size }) => sum + size, 0) }
    } catch (error) {
      await this.#erase(id)
      throw error
    }
  }

  async #write(files: BackupFiles, source: BackupSource, ports: StorePorts) {
    await using archive = await open(files.archive + UNFINISHED, 'w', 0o600)
    await using list = await open(files.list + UNFINISHED, 'w', 0o600)
    const lines = new ListWriter(list)
    const frames = new FrameWriter(archive, (packed) => lines.frame(packed))
    const saved = await new ArchiveSaving(frames, lines, ports).all(source)
    await archive.sync()
    await list.sync()
    return saved
  }

  list(id: string, folder: string): Promise<BackupEntry[]> {
    return entriesOf(this.#entries(id), folder)
  }

  async entry(id: string, at: string): Promise<BackupEntry> {
    return bare(await findEntry(this.#entries(id), at))
  }

  async *walk(id: string, below: readonly string[] | null): AsyncIterable<BackupEntry> {
    for await (const entry of this.#below(id, below)) yield bare(entry)
  }

  async read(id: string, at: string, range?: { start: number; end: number }): Promise<Readable> {
    const entry = await findEntry(this.#entries(id), at)
    if (entry.kind === 'folder') throw notInBackup(at)
    const start = Math.min(entry.size, range?.start ?? 0)
    const end = Math.min(entry.size, Math.max(start, range?.end ?? entry.size))
    const opened = await this.#open(id)
    return Readable.from(bytesOf(opened, entry, start, end), { objectMode: false })
  }

  async extract(id: string, below: readonly string[] | null, to: string, ports: StorePorts): Promise<void> {
    await using opened = await this.#open(id)
    const folders: ListedEntry[] = []
    const made = new Set([''])
    let done = 0
    for await (const entry of this.#below(id, below)) {
      ports.signal.throwIfAborted()
      await makeFolder(to, entry.kind === 'folder' ? entry.path : parentOf(entry.path), made)
      if (entry.kind === 'folder') folders.push(entry)
      else await extractFile(opened.reader, entry, to, ports.signal)
      ports.progress((done += entry.size), null)
    }
    for (const entry of folders.reverse()) await keepRecord(to, entry)
  }

  async check(id: string, ports: StorePorts): Promise<BackupCheck> {
    await using opened = await this.#open(id)
    const bad: string[] = []
    let done = 0
    for await (const entry of this.#entries(id)) {
      ports.signal.throwIfAborted()
      if (
        entry.kind === 'file' &&
        !(await isSound(opened.reader, entry, ports.signal)) &&
        bad.length < NAMED_MOST
      )
        bad.push(entry.path)
      ports.progress((done += entry.size), null)
    }
    return { damaged: bad }
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#erase(id)
  }

  async ids(): Promise<string[]> {
    const names = new Set(await readdir(this.#folder).catch(none))
    const ids = [...names].flatMap((name) => (name.endsWith(ARCHIVE) ? [name.slice(0, -ARCHIVE.length)] : []))
    return ids.filter((id) => ID.test(id) && names.has(id + LIST))
  }

  /** Removes what a killed service left unfinished. Not beside a `save`. */
  async sweep(): Promise<boolean> {
    const whole = new Set(await this.ids())
    for (const name of await readdir(this.#folder).catch(none)) {
      const id = name.slice(0, name.indexOf('.'))
      if (ID.test(id) && (name.endsWith(UNFINISHED) || !whole.has(id)))
        await rm(path.join(this.#folder, name), { force: true })
    }
    return true
  }

  async about(id: string): Promise<{ createdAt: number; addedBytes: number }> {
    const { size, mtimeMs } = await stat(this.#filesOf(id).archive)
    return { createdAt: Math.round(mtimeMs), addedBytes: size }
  }

  /** The archive first: without it, the list is a leftover. */
  async #erase(id: string): Promise<void> {
    const { archive, list } = this.#filesOf(id)
    for (const file of [archive, list])
      for (const name of [file, file + UNFINISHED]) await rm(name, { force: true })
  }

  #filesOf(id: string): BackupFiles {
    if (!ID.test(id)) throw new Error('Not an id of a backup')
    const at = path.join(this.#folder, id)
    return { archive: at + ARCHIVE, list: at + LIST }
  }

  async #open(id: string): Promise<OpenedArchive> {
    const packed: number[] = []
    try {
      for await (const line of readList(this.#filesOf(id).list)) if ('frame' in line) packed.push(line.frame)
    } catch (error) {
      throw asTold(error)
    }
    const handle = await open(this.#filesOf(id).archive, 'r').catch((error: unknown) => {
      throw asTold(error)
    })
    return new OpenedArchive(handle, new FrameReader(handle, packed))
  }

  async *#entries(id: string): AsyncGenerator<ListedEntry> {
    try {
      for await (const line of readList(this.#filesOf(id).list)) if ('entry' in line) yield line.entry
    } catch (error) {
      throw asTold(error)
    }
  }

  async *#below(id: string, below: readonly string[] | null): AsyncGenerator<ListedEntry> {
    const tops = below && new Set(below)
    for await (const entry of this.#entries(id)) if (!tops || isBelow(entry.path, tops)) yield entry
  }
}

interface BackupFiles {
  archive: string
  list: string
}

class OpenedArchive implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly reader: FrameReader

  constructor(handle: FileHandle, reader: FrameReader) {
    this.#handle = handle
    this.reader = reader
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close()
  }
}

const none = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

function isBelow(at: string, tops: ReadonlySet<string>): boolean {
  for (let here = at; here !== ''; here = parentOf(here)) if (tops.has(here)) return true
  return false
}

/** A missing half is damage too. */
function asTold(error: unknown): unknown {
  const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return error instanceof ArchiveDamage || isGone ? damaged() : error
}

async function* bytesOf(opened: OpenedArchive, entry: ListedEntry, start: number, end: number) {
  await using archive = opened
  try {
    for await (const chunk of archive.reader.bytes(entry.at + start, end - start)) yield chunk
  } catch (error) {
    throw error instanceof ArchiveDamage ? damagedFile(entry.path) : error
  }
}

async function isSound(reader: FrameReader, entry: ListedEntry, signal: AbortSignal): Promise<boolean> {
  const hash = createHash('sha256')
  let { at } = entry
  try {
    for await (const chunk of reader.bytes(entry.at, entry.size)) {
      signal.throwIfAborted()
      reader.ahead(at)
      hash.update(chunk)
      at += chunk.length
    }
  } catch (error) {
    if (error instanceof ArchiveDamage) return false
    throw error
  }
  return hash.digest('hex') === entry.sha256
}

async function extractFile(
  reader: FrameReader,
  entry: ListedEntry,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256')
  let at = entry.at
  try {
    await using target = await open(diskPath(to, entry.path), 'wx', 0o600)
    for await (const chunk of reader.bytes(entry.at, entry.size)) {
      signal.throwIfAborted()
      reader.ahead(at)
      hash.update(chunk)
      await target.writeFile(chunk)
      at += chunk.length
    }
  } catch (error) {
    // A name twice, or below a file: no list of ours has that.
    const isOdd = ['EEXIST', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    throw error instanceof ArchiveDamage || isOdd ? damagedFile(entry.path) : error
  }
  if (hash.digest('hex') !== entry.sha256) throw damagedFile(entry.path)
  await keepRecord(to, entry)
}

/** Makes new names in a folder survive a power failure. Windows and some file systems can't. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
