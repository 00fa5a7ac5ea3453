import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { isWithin, parentOf } from '../../../contract/rules/paths.ts'
import { hasRawBytes } from '../../../contract/rules/raw-bytes.ts'
import { diskFullRefusal } from '../../base/computer-limits.ts'
import { Refusal } from '../../../host/refusal.ts'
import { removeTree } from '../../files/safe-fs/remove-tree.ts'
import type {
  BackupCheck,
  BackupEntry,
  BackupSource,
  BackupStore,
  SavedBackup,
  StorePorts,
} from '../backup-store.ts'
import { bare, entriesOf, findEntry, damaged, notInBackup } from '../entries/entries.ts'
import { type ListedEntry, readList } from './backup-list.ts'
import { checkBackup } from './checking.ts'
import { extractBackup } from './extracting.ts'
import { readBytes, readByRestoring } from './reading.ts'
import { Repository, type StoredBackup } from './repository.ts'
import type { ResticPlace } from './restic-program.ts'
import { failureOf } from './restic-refusals.ts'
import { COPIES, LIST_NAME, Saving } from './saving.ts'

interface LocalRepositoryOptions {
  executable: string
  /** For one server only: repository, lists and work in progress. */
  folder: string
  /** Outside the folder. Made with the first backup; without it, nothing can be read. */
  passwordFile: string
  cache: string
}

export const localRepository = ({ folder, ...rest }: LocalRepositoryOptions): Repository =>
  new Repository({
    ...rest,
    repository: path.join(folder, 'repository'),
    temporary: path.join(folder, 'work', 'temporary'),
  })

/** How long what a failed backup left may take to be removed, in ms. The next removal takes the rest. */
const CLEANING_MS = 60_000
/** A restic that the killed service could not note goes on, with its lock, until it is done. */
const SWEEP_TRIES = 300
const SWEEP_AGAIN_MS = 2000

/** Keeps backups in a restic repository. */
export class ResticStore implements BackupStore {
  readonly #repository: Repository
  readonly #lists: string
  readonly #beside: string
  /** There while something is saved or removed, and after a service was killed meanwhile. */
  readonly #mark: string

  /** `folder`: for lists and work in progress. */
  constructor(repository: Repository, folder: string) {
    this.#lists = path.join(folder, 'lists')
    this.#beside = path.join(folder, 'work', 'beside')
    this.#mark = path.join(folder, 'unfinished')
    this.#repository = repository
  }

  async save(id: string, source: BackupSource, ports: StorePorts): Promise<SavedBackup> {
    const leave = await this.#repository.enter(false, ports.signal)
    let isSaved = false
    // What an earlier one left is removed with the next removal, not here.
    const wasLeft = existsSync(this.#mark)
    try {
      this.#begun()
      await this.#repository.create(ports.signal)
      const { saved, result } = await new Saving(this.#repository, source, ports, this.#beside).all(id)
      await mkdir(this.#lists, { recursive: true, mode: 0o700 })
      await rename(path.join(this.#beside, LIST_NAME), this.#listFile(id))
      this.#repository.add(saved)
      isSaved = true
      return result
    } catch (error) {
      leave()
      // Best effort: what it can't remove is no backup, and the next removal frees its room.
      await this.remove([id], { ...ports, signal: AbortSignal.timeout(CLEANING_MS) }).catch(() => undefined)
      throw ports.signal.aborted ? ports.signal.reason : (diskFullRefusal(error) ?? error)
    } finally {
      await removeTree(this.#beside).catch(() => undefined)
      if (isSaved && !wasLeft) this.#done()
      leave()
    }
  }

  list(id: string, folder: string): Promise<BackupEntry[]> {
    return entriesOf(this.#entries(id), folder)
  }

  async entry(id: string, at: string): Promise<BackupEntry> {
    return bare(await findEntry(this.#entries(id), at))
  }

  async *walk(id: string, below: readonly string[] | null): AsyncIterable<BackupEntry> {
    for await (const entry of this.#entries(id)) if (isBelow(entry.path, below)) yield bare(entry)
  }

  async read(id: string, at: string, range?: { start: number; end: number }): Promise<Readable> {
    const entry = await findEntry(this.#entries(id), at)
    if (entry.kind === 'folder') throw notInBackup(at)
    const start = Math.min(entry.size, range?.start ?? 0)
    const end = Math.min(entry.size, Math.max(start, range?.end ?? entry.size))
    if (start === end) return Readable.from([])
    const leave = await this.#repository.enter(false)
    try {
      const saved = await this.#repository.saved(id, never())
      const { snapshot, at: top } = entry.isCopy ? saved.list : saved.main
      const place = `${top}/${entry.isCopy ? `${COPIES}/` : ''}${at}`
      const wanted = { snapshot, place, entry, start, end }
      const read = hasRawBytes(at) ? readByRestoring : readBytes
      return (await read(this.#repository, wanted)).once('close', leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  async extract(id: string, below: readonly string[] | null, to: string, ports: StorePorts): Promise<void> {
    const wanted: ListedEntry[] = []
    const parents = new Set((below ?? []).flatMap(parentsOf))
    for await (const entry of this.#entries(id))
      if (isBelow(entry.path, below) || parents.has(entry.path)) wanted.push(entry)
    await this.#within(id, ports.signal, (saved) =>
      extractBackup(this.#repository, saved, { wanted, below, to, ports }),
    )
  }

  async check(id: string, ports: StorePorts): Promise<BackupCheck> {
    const files: ListedEntry[] = []
    for await (const entry of this.#entries(id)) if (entry.kind === 'file') files.push(entry)
    return this.#within(id, ports.signal, (saved) => checkBackup(this.#repository, saved, { files, ports }))
  }

  async remove(ids: readonly string[], { signal }: StorePorts): Promise<void> {
    const leave = await this.#repository.enter(true, signal)
    try {
      this.#begun()
      await this.#repository.remove(ids, signal)
      for (const id of ids) await rm(this.#listFile(id), { force: true })
      this.#done()
    } finally {
      leave()
    }
  }

  async sweep(isSuspect: boolean): Promise<boolean> {
    if (!isSuspect && !existsSync(this.#mark)) return false
    await removeTree(this.#beside)
    for (let tries = 1; ; tries++) {
      try {
        await this.remove([], { signal: never(), progress: () => undefined })
        return true
      } catch (error) {
        const isInUse = error instanceof Refusal && error.code === 'backups.in-use'
        if (!isInUse || tries === SWEEP_TRIES) throw error
        await after(SWEEP_AGAIN_MS)
      }
    }
  }

  #begun(): void {
    try {
      mkdirSync(path.dirname(this.#mark), { recursive: true, mode: 0o700 })
      writeFileSync(this.#mark, '', { mode: 0o600 })
    } catch {
      // On a full disk room has to be made without it.
    }
  }

  /** Synchronous: nobody who hears of the end may still find the mark. */
  #done(): void {
    rmSync(this.#mark, { force: true })
  }

  async ids(): Promise<string[]> {
    return [...(await this.#repository.all(never())).keys()]
  }

  /** Nothing is removed while `act` runs. Rejects with 404 if the backup isn't there. */
  share<T>(
    id: string,
    signal: AbortSignal,
    act: (from: ResticPlace, snapshots: readonly string[]) => Promise<T>,
  ): Promise<T> {
    return this.#within(id, signal, ({ main, list }) =>
      act(this.#repository.place, [main.snapshot, list.snapshot]),
    )
  }

  async #within<T>(id: string, signal: AbortSignal, act: (saved: StoredBackup) => Promise<T>): Promise<T> {
    const leave = await this.#repository.enter(false, signal)
    try {
      return await act(await this.#repository.saved(id, signal))
    } finally {
      leave()
    }
  }

  #listFile(id: string): string {
    return path.join(this.#lists, id)
  }

  async *#entries(id: string): AsyncGenerator<ListedEntry> {
    await this.#openList(id)
    yield* readList(this.#listFile(id))
  }

  /** Before anything else enters: who is inside must not wait for who is not. */
  async #openList(id: string): Promise<void> {
    if (existsSync(this.#listFile(id))) return
    const leave = await this.#repository.enter(false)
    try {
      await this.#fetchList(id, this.#listFile(id))
    } finally {
      leave()
    }
  }

  /** Kept here for speed; what counts is the one in the backup. */
  async #fetchList(id: string, file: string): Promise<void> {
    const { list } = await this.#repository.saved(id, never())
    await mkdir(this.#lists, { recursive: true, mode: 0o700 })
    const fresh = path.join(this.#repository.place.temporary, randomUUID())
    await using handle = await open(fresh, 'wx', 0o600)
    const running = await this.#repository.start(['dump', list.snapshot, `${list.at}/${LIST_NAME}`], {
      signal: never(),
    })
    for await (const chunk of running.output as AsyncIterable<Buffer>) await handle.writeFile(chunk)
    const end = await running.ended
    if (end.code !== 0) {
      await rm(fresh, { force: true })
      const failure = failureOf(end, this.#repository.place)
      throw failure.code === 'backups.store-damaged' ? damaged() : failure
    }
    await rename(fresh, file)
  }
}

const never = (): AbortSignal => new AbortController().signal

const isBelow = (at: string, below: readonly string[] | null): boolean =>
  below === null || below.some((top) => isWithin(at, top))

function parentsOf(at: string): string[] {
  const parents: string[] = []
  for (let here = parentOf(at); here !== ''; here = parentOf(here)) parents.push(here)
  return parents
}
