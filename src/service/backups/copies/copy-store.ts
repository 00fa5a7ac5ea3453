import type { BigIntStats } from 'node:fs'
import { createWriteStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { joined, parentOf, splitLast } from '../../../contract/rules/paths.ts'
import { diskFullRefusal } from '../../base/computer-limits.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import { outermost } from '../../changes/bring-back.ts'
import { CopyRecords } from '../../changes/copy-records.ts'
import { partsOf } from '../../files/names/names.ts'
import { diskPath } from '../../files/names/raw-names.ts'
import { HardLinks } from '../../files/safe-fs/hard-links.ts'
import { READ_FLAGS } from '../../files/safe-fs/open-in.ts'
import { openRoot, type OpenedFolder } from '../../files/safe-fs/opened-folder.ts'
import type { FolderEntry } from '../../files/safe-fs/read-folder.ts'
import { eachOf } from '../../files/safe-fs/walk.ts'
import { walkTree } from '../../files/safe-fs/walk-tree.ts'
import { timeOf } from '../../../host/file-time.ts'
import type { BackupCheck, BackupContents, BackupEntry, StorePorts } from '../backup-store.ts'
import { keepRecord, makeFolder, notInBackup } from '../entries/entries.ts'

const NAMED_MOST = 100
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/**
 * Reads the copies from before changes: folders as the server's was. As in other backups, links aren't part of them, nor
 * are files that have a name outside. There are no checksums.
 */
export class CopyStore implements BackupContents {
  readonly #copies: CopyRecords

  /** @param folder for one server only */
  constructor(folder: string) {
    this.#copies = new CopyRecords(folder)
  }

  async list(id: string, at: string): Promise<BackupEntry[]> {
    const links = this.#links(id)
    using folder = this.#enter(id, at)
    return await entriesIn(folder, await folder.entries(), links)
  }

  async entry(id: string, at: string): Promise<BackupEntry> {
    const links = this.#links(id)
    const { folder, name } = placeOf(at)
    using parent = this.#enter(id, folder)
    const stat = await lstat(parent.at(name), { bigint: true }).catch((error: unknown) => {
      throw this.#told(id, at, error)
    })
    if (await isPart(stat, links)) return entryOf(at, stat)
    throw notInBackup(at)
  }

  async *walk(id: string, below: readonly string[] | null): AsyncIterable<BackupEntry> {
    const links = this.#links(id)
    for (const at of below === null ? [''] : outermost(below)) {
      const entry = at === '' ? null : await this.entry(id, at).catch(nullIfMissing)
      if (entry) yield entry
      if (at !== '' && entry?.kind !== 'folder') continue
      using top = this.#enter(id, at)
      try {
        for await (const step of walkTree(top))
          if (step.kind === 'in') yield* await entriesIn(step.folder, step.entries, links)
      } catch (error) {
        throw this.#told(id, at, error)
      }
    }
  }

  async read(id: string, at: string, range?: { start: number; end: number }): Promise<Readable> {
    const links = this.#links(id)
    const { folder, name } = placeOf(at)
    using parent = this.#enter(id, folder)
    const handle = await open(parent.at(name), READ_FLAGS).catch((error: unknown) => {
      throw this.#told(id, at, error)
    })
    try {
      const stat = await handle.stat({ bigint: true })
      if (!stat.isFile() || !(await isPart(stat, links))) throw notInBackup(at)
      parent.confirm(name, stat)
      const size = Number(stat.size)
      const start = Math.min(size, range?.start ?? 0)
      const end = Math.min(size, Math.max(start, range?.end ?? size))
      if (start < end) return handle.createReadStream({ start, end: end - 1 })
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return Readable.from([])
  }

  async extract(id: string, below: readonly string[] | null, to: string, ports: StorePorts): Promise<void> {
    const folders: BackupEntry[] = []
    const made = new Set([''])
    try {
      await this.#each(id, below, ports, async (entry) => {
        await makeFolder(to, entry.kind === 'folder' ? entry.path : parentOf(entry.path), made)
        if (entry.kind === 'folder') return void folders.push(entry)
        const target = createWriteStream(diskPath(to, entry.path), { flags: 'wx', mode: 0o600 })
        await pipeline(await this.read(id, entry.path), target, { signal: ports.signal })
        await keepRecord(to, entry)
      })
      for (const entry of folders.reverse()) await keepRecord(to, entry)
    } catch (error) {
      ports.signal.throwIfAborted()
      throw diskFullRefusal(error) ?? error
    }
  }

  async check(id: string, ports: StorePorts): Promise<BackupCheck> {
    const damaged: string[] = []
    await this.#each(id, null, ports, async ({ path: at, kind }) => {
      if (kind === 'folder') return
      try {
        await pipeline(await this.read(id, at), nowhere(), { signal: ports.signal })
      } catch {
        ports.signal.throwIfAborted()
        if (damaged.length < NAMED_MOST) damaged.push(at)
      }
    })
    return { damaged }
  }

  /** Rejects with 404 `backups.not-found` if the copy was used up or pushed out meanwhile. */
  async #each(
    id: string,
    below: readonly string[] | null,
    ports: StorePorts,
    act: (entry: BackupEntry) => Promise<void>,
  ): Promise<void> {
    let done = 0
    for await (const entry of this.walk(id, below)) {
      ports.signal.throwIfAborted()
      await act(entry)
      ports.progress((done += entry.size), null)
    }
    this.#at(id)
  }

  #at(id: string): string {
    if (this.#copies.list.some((copy) => copy.id === id)) return this.#copies.at({ id })
    throw refusal(404, 'backups.not-found')
  }

  #links(id: string): HardLinks {
    return new HardLinks(this.#at(id))
  }

  /** Never through a link. Throws 404. */
  #enter(id: string, at: string): OpenedFolder {
    let folder: OpenedFolder
    try {
      folder = openRoot(this.#at(id))
    } catch (error) {
      throw GONE.has((error as NodeJS.ErrnoException).code) ? refusal(410, 'backups.gone') : error
    }
    try {
      for (const name of partsOf(at)) {
        const inner = folder.enter(name)
        folder[Symbol.dispose]()
        folder = inner
      }
      return folder
    } catch (error) {
      folder[Symbol.dispose]()
      throw this.#told(id, at, error)
    }
  }

  #told(id: string, at: string, error: unknown): unknown {
    if (!GONE.has((error as NodeJS.ErrnoException).code)) return error
    this.#at(id)
    return notInBackup(at)
  }
}

async function entriesIn(
  folder: OpenedFolder,
  entries: readonly FolderEntry[],
  links: HardLinks,
): Promise<BackupEntry[]> {
  const found: BackupEntry[] = []
  await eachOf(entries, async ({ name, kind }) => {
    if (kind !== 'file' && kind !== 'folder') return
    const stat = await lstat(folder.at(name), { bigint: true })
    if (await isPart(stat, links)) found.push(entryOf(joined(folder.path, name), stat))
  })
  return found
}

const isPart = async (stat: BigIntStats, links: HardLinks): Promise<boolean> =>
  stat.isDirectory() || (stat.isFile() && (await links.allInside(stat)))

const entryOf = (at: string, stat: BigIntStats): BackupEntry => ({
  path: at,
  kind: stat.isDirectory() ? 'folder' : 'file',
  size: stat.isDirectory() ? 0 : Number(stat.size),
  modifiedAt: timeOf(stat),
  mode: Number(stat.mode) & 0o777,
})

function placeOf(at: string): { folder: string; name: string } {
  if (partsOf(at).length === 0) throw notInBackup(at)
  return splitLast(at)
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Refusal && error.code === 'backups.not-in-it') return null
  throw error
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })
