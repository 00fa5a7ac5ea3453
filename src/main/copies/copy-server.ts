import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopyProgress } from '../../contract/bridge/copy-calls.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { parentOf } from '../../contract/rules/paths.ts'
import { problem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import type { CopiedFile, CopyFolder, CopyRecord, CopySource, UnfinishedCopy } from './copy-folder.ts'
import { checkRoom, fetchFile, type FetchResult, isNameFault, settle } from './fetch-file.ts'
import { listAgain, listTree, Missing, type RemoteFile, type RemoteServer } from './remote-tree.ts'

/** Parallel reads: each costs a round trip. */
const AT_ONCE = 8
/** Unreadable files in a row, after which it isn't about the files. */
const UNREAD_MOST = 10

export interface CopyWork extends RemoteServer {
  folder: CopyFolder
  clock: Clock
  progress: (now: CopyProgress) => void
}

export type FetchTotal = Pick<CopyRecord, 'fetchedBytes' | 'fetchedFiles'>

/** Fetches what changed, for the copy that follows: saving is then paused for a moment only. */
export async function fetchAhead(work: CopyWork): Promise<FetchTotal> {
  const copying = await ServerCopying.begin(work)
  try {
    await copying.fill()
    return copying.fetched
  } finally {
    await copying.stop()
  }
}

/** Whatever was fetched stays for the next copy if this one fails. Throws `PanelProblem`s and errors of the disk. */
export async function copyServer(
  work: CopyWork,
  about: Pick<CopyRecord, 'at' | 'saving'>,
  ahead: FetchTotal,
): Promise<void> {
  const copying = await ServerCopying.begin(work)
  try {
    await copying.fill()
    await copying.readChangedAgain()
  } catch (error) {
    await copying.stop()
    throw error
  }
  await copying.finish(about, ahead)
}

interface KnownFile {
  file: RemoteFile
  known: CopiedFile
  source: CopySource
}

class ServerCopying {
  readonly #work: CopyWork
  readonly #sources: readonly CopySource[]
  readonly #into: UnfinishedCopy
  readonly #missing = new Missing()
  /** What this copy has, in bytes. */
  readonly #here = new Map<string, number>()
  readonly #results = new Map<string, { file: RemoteFile; result: FetchResult }>()
  #shares = true
  #toFetch = 0
  #received = 0
  #fetchedFiles = 0
  #unreadInARow = 0

  private constructor(work: CopyWork, sources: readonly CopySource[], into: UnfinishedCopy) {
    this.#work = work
    this.#sources = sources
    this.#into = into
  }

  static async begin(work: CopyWork): Promise<ServerCopying> {
    await work.folder.sweep()
    const sources = await work.folder.sources()
    return new ServerCopying(work, sources, await work.folder.begin())
  }

  get fetched(): FetchTotal {
    return { fetchedBytes: this.#received, fetchedFiles: this.#fetchedFiles }
  }

  stop(): Promise<void> {
    return this.#into.stop()
  }

  async finish({ at, saving }: Pick<CopyRecord, 'at' | 'saving'>, ahead: FetchTotal): Promise<void> {
    let bytes = 0
    for (const size of this.#here.values()) bytes += size
    const { named, count, isWhole } = this.#missing
    await this.#into.finish({
      ...{ at, saving, bytes, files: this.#here.size, missing: named, missingCount: count, isWhole },
      fetchedBytes: this.#received + ahead.fetchedBytes,
      fetchedFiles: this.#fetchedFiles + ahead.fetchedFiles,
      shares: this.#shares,
    })
  }

  async fill(): Promise<void> {
    this.#work.progress({ kind: 'listing' })
    const { folders, files } = await listTree(this.#work, this.#missing, this.#into.folder)
    if (files.length === 0) throw problem('incompatible', localized('copies.nothing'), { retryable: true })
    this.#shares = await this.#into.canShare()
    const reused: KnownFile[] = []
    const toFetch: RemoteFile[] = []
    for (const file of files) {
      const found = this.#reusable(file)
      if (found) reused.push(found)
      else toFetch.push(file)
    }
    const copied = this.#shares ? [] : reused.filter(({ source }) => !source.isLeft)
    const needed = sumOf(toFetch) + sumOf(copied.map(({ file }) => file))
    await checkRoom(this.#into.folder, needed)
    for (const path of folders) await this.#makeFolder(path)
    for (const one of reused) if (!(await this.#reuse(one))) toFetch.push(one.file)
    await this.#fetchAll(toFetch)
  }

  #reusable(file: RemoteFile): KnownFile | null {
    if (file.modifiedAt === null) return null
    for (const source of this.#sources) {
      const known = source.files.get(file.path)
      if (known?.size === file.size && known.modifiedAt === file.modifiedAt) return { file, known, source }
    }
    return null
  }

  /** False if it isn't what it was: somebody may have changed it here. */
  async #reuse({ file, known, source }: KnownFile): Promise<boolean> {
    this.#work.signal.throwIfAborted()
    const from = hereOf(source.folder, file.path)
    const there = await lstat(from).catch(() => null)
    if (!there?.isFile() || there.size !== known.size || there.mtimeMs !== known.hereAt) return false
    const target = hereOf(this.#into.folder, file.path)
    let { hereAt } = known
    try {
      if (source.isLeft) await rename(from, target)
      else if (!this.#shares || !(await isLinked(from, target))) {
        await copyFile(from, target, constants.COPYFILE_FICLONE)
        hereAt = await settle(target, file)
      }
    } catch (error) {
      if (isNameFault(error)) return false
      throw error
    }
    await this.#keep(file, hereAt)
    return true
  }

  async #keep(file: RemoteFile, hereAt: number): Promise<void> {
    this.#here.set(file.path, file.size)
    await this.#into.note({ ...file, hereAt })
  }

  async #makeFolder(path: string): Promise<void> {
    try {
      await mkdir(hereOf(this.#into.folder, path), { mode: 0o700 })
    } catch (error) {
      if (!isNameFault(error)) throw error
      this.#missing.add(path, 'name')
    }
  }

  async #fetchAll(files: readonly RemoteFile[]): Promise<void> {
    this.#toFetch += sumOf(files)
    this.#tell()
    const stop = new AbortController()
    const signal = AbortSignal.any([this.#work.signal, stop.signal])
    const waiting = files.values()
    const work = async () => {
      try {
        for (const file of waiting) {
          signal.throwIfAborted()
          await this.#fetch(file, signal)
        }
      } catch (error) {
        stop.abort(error)
        throw error
      }
    }
    // Nothing may be written any more once this throws.
    await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
    signal.throwIfAborted()
  }

  async #fetch(file: RemoteFile, signal: AbortSignal): Promise<void> {
    const target = hereOf(this.#into.folder, file.path)
    const { client, serverId, clock } = this.#work
    const result = await fetchFile({ client, serverId, signal }, file, target, {
      clock,
      received: (bytes) => {
        this.#received += bytes
        this.#tell()
      },
    })
    this.#results.set(file.path, { file, result })
    if (result.kind === 'here') {
      this.#fetchedFiles++
      await this.#keep(file, result.hereAt)
    } else {
      this.#here.delete(file.path)
      await rm(target, { force: true }).catch(() => undefined)
    }
    if (result.kind === 'name') this.#missing.add(file.path, 'name')
    this.#unreadInARow = result.kind === 'unread' ? this.#unreadInARow + 1 : 0
    if (result.kind === 'unread' && this.#unreadInARow >= UNREAD_MOST) throw result.because
  }

  #tell(): void {
    this.#work.progress({ kind: 'fetching', bytes: this.#toFetch, bytesDone: this.#received })
  }

  /** Files that changed since they were listed are read once more, then named. */
  async readChangedAgain(): Promise<void> {
    const first = [...this.#results.values()]
    const changed = await this.#changed(first)
    await this.#fetchAll(changed.map(({ now }) => now))
    const second = changed.flatMap(({ now }) => this.#results.get(now.path) ?? [])
    for (const { file, result } of await this.#changed(second)) {
      this.#missing.add(file.path, 'changed')
      if (result.kind === 'here') await this.#into.note({ ...file, modifiedAt: null, hereAt: 0 })
    }
  }

  /** Those that are listed differently now. The unreadable ones are missing. */
  async #changed(some: readonly { file: RemoteFile; result: FetchResult }[]) {
    const listed = await listAgain(this.#work, new Set(some.map(({ file }) => parentOf(file.path))))
    return some.flatMap(({ file, result }) => {
      const now = listed.get(file.path)
      if (!now || result.kind === 'name') return []
      if (result.kind === 'unread') {
        this.#missing.add(file.path, 'unread')
        return []
      }
      const isSame = now.size === file.size && now.modifiedAt === file.modifiedAt
      return isSame && result.kind === 'here' && result.isSame ? [] : [{ file, result, now }]
    })
  }
}

/** Listed paths have only checked names. */
const hereOf = (folder: string, path: string): string => join(folder, ...path.split('/'))

const sumOf = (files: readonly RemoteFile[]): number => files.reduce((sum, { size }) => sum + size, 0)

const isLinked = (from: string, target: string): Promise<boolean> =>
  link(from, target).then(
    () => true,
    () => false,
  )
