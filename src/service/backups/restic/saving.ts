import type { BigIntStats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isWithin, parentOf } from '../../../contract/rules/paths.ts'
import { behind } from '../../base/priority.ts'
import { Yielder } from '../../../host/yield.ts'
import { diskPath, onDisk } from '../../files/names/raw-names.ts'
import { READ_FLAGS } from '../../files/safe-fs/open-in.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type { BackupSource, SavedBackup, SourceEntry, StorePorts } from '../backup-store.ts'
import { aboutTag, serverTag } from './about.ts'
import { isOurs, ListWriter } from './backup-list.ts'
import { excludedLines } from './patterns.ts'
import {
  HOST,
  LISTS,
  MAIN,
  parsedLine,
  type Repository,
  type StoredBackup,
  snapshotPath,
} from './repository.ts'

/** Part of what is saved beside the server's folder. */
export const LIST_NAME = 'list'
export const COPIES = 'copies'

/** restic could read most, not all. */
const INCOMPLETE = 3
const NAMED_MOST = 1000
const CHUNK_BYTES = 1024 * 1024
/** Only ever grows, so what was read is whole. */
const GROWS = /\.log$/

/**
 * restic saves the server's folder as it is; then a second, small folder with the list of what belongs to the backup and copies of
 * what changed meanwhile or was copied before. Only with the second one it is a backup.
 */
export class Saving {
  readonly #repository: Repository
  readonly #source: BackupSource
  readonly #ports: StorePorts
  /** The second folder: the same path each time, so that restic finds the one before. */
  readonly #beside: string
  readonly #missing: SavedBackup['missing'] = []
  readonly #yielder = new Yielder()
  #bytes = 0
  #files = 0

  constructor(repository: Repository, source: BackupSource, ports: StorePorts, beside: string) {
    this.#repository = repository
    this.#source = source
    this.#ports = ports
    this.#beside = beside
  }

  async all(id: string): Promise<{ saved: StoredBackup; result: SavedBackup }> {
    const { root, about } = this.#source
    const ofServer = about ? [serverTag(about.server.id)] : []
    const before = await this.#repository.bytes()
    await removeTree(this.#beside)
    await mkdir(this.#beside, { recursive: true, mode: 0o700 })
    const entries = await this.#entries()
    const total = entries.reduce((sum, { size }) => sum + size, 0)
    const excludes = path.join(this.#repository.place.temporary, 'excluded')
    await writeFile(excludes, await excludedLines(root, entries, (entry) => this.#isInPlace(entry)))
    const failed = new Set<string>()
    const errorLine = (line: Buffer) => void failed.add(itemOf(line.toString()) ?? '')
    const args = ['--tag', [MAIN, ...ofServer].join(','), '--exclude-file', excludes, root]
    const main = await this.#backUp(args, { total, errorLine })
    await rm(excludes)
    failed.delete('')
    await this.#writeList(entries, failed)
    const counted = { bytes: this.#bytes, files: this.#files }
    const told = about ? [aboutTag({ ...about, ...counted })] : []
    const tags = [id, LISTS + main, ...ofServer, ...told].join(',')
    const list = await this.#backUp(['--tag', tags, this.#beside], { total: null })
    this.#ports.progress(this.#bytes, this.#bytes)
    const saved = {
      id,
      main: { snapshot: main, at: snapshotPath(root) },
      list: { snapshot: list, at: snapshotPath(this.#beside) },
    }
    const addedBytes = Math.max(0, (await this.#repository.bytes()) - before)
    const result = { ...counted, addedBytes, missing: this.#missing }
    return { saved, result }
  }

  async #entries(): Promise<SourceEntry[]> {
    const entries: SourceEntry[] = []
    for await (const entry of this.#source.entries()) {
      await this.#step()
      if (isOurs(entry.path)) entries.push(entry)
      else this.#miss(entry.path, 'unreadable')
    }
    return entries
  }

  #isInPlace({ path: at, from, kind }: SourceEntry): boolean {
    return kind === 'folder' || from === path.join(this.#source.root, at)
  }

  async #backUp(
    args: string[],
    { total, errorLine }: { total: number | null; errorLine?: (line: Buffer) => void },
  ): Promise<string> {
    const { signal } = this.#ports
    let snapshot: string | null = null
    const line = (text: string) => {
      const said = parsedLine(text) as Record<string, unknown> | null
      if (said?.message_type === 'status' && total !== null && typeof said.bytes_done === 'number')
        this.#ports.progress(Math.min(said.bytes_done, total), total)
      if (said?.message_type !== 'summary' || typeof said.snapshot_id !== 'string') return
      snapshot = said.snapshot_id
      // It may have been too fast to tell before.
      if (total !== null) this.#ports.progress(total, total)
    }
    await this.#repository.run(['backup', '--json', '--host', HOST, ...args], {
      ...{ signal, line, errorLine },
      accepts: [INCOMPLETE],
    })
    if (snapshot === null) throw new Error('restic ended without a summary')
    return snapshot
  }

  async #writeList(entries: readonly SourceEntry[], failed: ReadonlySet<string>): Promise<void> {
    await using list = await ListWriter.create(path.join(this.#beside, LIST_NAME))
    // restic names them without the bytes that are no character.
    const names = [...failed].map((at) => path.relative(this.#source.root, at).replaceAll(path.sep, '/'))
    const isFailed = ({ path: at }: SourceEntry) => {
      const told = failed.size > 0 && path.sep === '/' ? onDisk(at).toString() : at
      return names.some((name) => isWithin(told, name))
    }
    for (const entry of entries) {
      await this.#step()
      if (entry.kind === 'folder') {
        await list.add({ ...entry, size: 0, isCopy: false })
        continue
      }
      const isSaved = this.#isInPlace(entry) && !isFailed(entry) && (await this.#isUnchanged(entry))
      const record = isSaved ? entry : await this.#copy(entry)
      if (!record) continue
      await list.add({ ...record, isCopy: !isSaved })
      this.#bytes += record.size
      this.#files++
    }
    await list.end()
  }

  async #isUnchanged(entry: SourceEntry): Promise<boolean> {
    const stat = await behind(() => lstat(diskPath(this.#source.root, entry.path))).catch(() => null)
    return (
      stat !== null &&
      stat.isFile() &&
      stat.size === entry.size &&
      Math.abs(stat.mtimeMs - entry.modifiedAt) < 1
    )
  }

  /** Null if it can't be read any more. */
  async #copy(entry: SourceEntry): Promise<SourceEntry | null> {
    try {
      await using handle = await open(onDisk(entry.from), READ_FLAGS)
      const before = await handle.stat({ bigint: true })
      if (!before.isFile()) throw new Error('not a file')
      const copies = path.join(this.#beside, COPIES)
      await mkdir(diskPath(copies, parentOf(entry.path)), { recursive: true, mode: 0o700 })
      await using copy = await open(diskPath(copies, entry.path), 'wx', 0o600)
      const size = await this.#copyBytes(handle, copy, Number(before.size))
      if (!isSame(entry.path, before, await handle.stat({ bigint: true })) || size < Number(before.size))
        this.#miss(entry.path, 'changed')
      const isCopied = !this.#isInPlace(entry)
      return { ...entry, size, modifiedAt: isCopied ? entry.modifiedAt : Number(before.mtimeMs) }
    } catch (error) {
      this.#ports.signal.throwIfAborted()
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EDQUOT') throw error
      this.#miss(entry.path, code === 'ENOENT' ? 'changed' : 'unreadable')
      return null
    }
  }

  async #copyBytes(from: FileHandle, to: FileHandle, size: number): Promise<number> {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size))
    let done = 0
    while (done < size) {
      await this.#step()
      const { bytesRead } = await behind(() => from.read(chunk, 0, Math.min(chunk.length, size - done), done))
      if (bytesRead === 0) break
      await to.writeFile(chunk.subarray(0, bytesRead))
      done += bytesRead
    }
    return done
  }

  async #step(): Promise<void> {
    await this.#yielder.next()
    this.#ports.signal.throwIfAborted()
  }

  #miss(at: string, reason: 'changed' | 'unreadable'): void {
    if (this.#missing.length < NAMED_MOST) this.#missing.push({ path: at, reason })
  }
}

function itemOf(line: string): string | null {
  const said = parsedLine(line) as Record<string, unknown> | null
  return said?.message_type === 'error' && typeof said.item === 'string' ? said.item : null
}

const isSame = (at: string, before: BigIntStats, after: BigIntStats): boolean =>
  (before.size === after.size && before.mtimeNs === after.mtimeNs) ||
  (GROWS.test(at) && after.size > before.size)
