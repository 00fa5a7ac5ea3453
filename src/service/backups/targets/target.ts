import path from 'node:path'
import { refusal, type Refusal } from '../../../host/refusal.ts'
import { aboutIn, type BackupDescription, serverTag } from '../restic/about.ts'
import { lastingFailureOf, notReached } from '../restic/remote-failures.ts'
import { type ListedSnapshot, Repository, type StoredBackup, wholeOnes } from '../restic/repository.ts'
import type { ResticPlace } from '../restic/restic-program.ts'
import { ResticStore } from '../restic/restic-store.ts'
import type { TargetAccess } from './target-place.ts'
import { targetFiles } from './target-place.ts'

/** How long a target may take to be reached, in ms. */
const REACH_MS = 60_000
/** And to list what is there. */
const LIST_MS = 110_000

export interface BackupAtTarget extends BackupDescription {
  id: string
  createdAt: number
}

/** A repository somewhere else, with backups of many servers. */
export class Target {
  readonly #repository: Repository
  readonly #folder: string

  constructor(
    { executable, cache }: Pick<ResticPlace, 'executable' | 'cache'>,
    access: TargetAccess,
    folder: string,
  ) {
    this.#folder = folder
    const { password: passwordFile } = targetFiles(folder)
    const temporary = path.join(folder, 'work', 'temporary')
    this.#repository = new Repository({ ...access, executable, cache, passwordFile, temporary })
  }

  /** `make`: where no repository is, one is made. Rejects with refusals. */
  async reach(make: boolean, signal: AbortSignal): Promise<void> {
    await this.#soon(REACH_MS, signal, async (limits) => {
      try {
        await this.#repository.run(['cat', 'config'], limits)
      } catch (error) {
        const { code } = error as Refusal
        if (make && code === 'backups.wrong-password')
          throw refusal(409, 'backups.target-password').at('password')
        if (!make || code !== 'backups.store-missing') throw error
        await this.#repository.create(limits.signal)
      }
    })
  }

  /** What is there already is not copied again. */
  async copy(id: string, from: ResticStore, signal: AbortSignal): Promise<void> {
    const leave = await this.#repository.enter(false, signal)
    try {
      await from.share(id, signal, (place, snapshots) =>
        this.#watched(signal, (limits) =>
          this.#repository.run(['copy', ...snapshots], { ...limits, from: place }),
        ),
      )
    } finally {
      leave()
    }
  }

  /** Only of that server, and what a canceled copy of it left. Room is freed by `prune`. */
  async forget(serverId: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
    const leave = await this.#repository.enter(true, signal)
    try {
      await this.#watched(signal, async (limits) => {
        const listed = (await this.#repository.snapshots(limits.signal)).filter(({ tags }) =>
          tags?.includes(serverTag(serverId)),
        )
        const kept = [...wholeOnes(listed).values()].filter(({ id }) => !ids.includes(id))
        const needed = new Set(kept.flatMap(({ main, list }) => [main.snapshot, list.snapshot]))
        const gone = listed.filter(({ id }) => !needed.has(id)).map(({ id }) => id)
        if (gone.length > 0) await this.#repository.run(['forget', ...gone], limits)
      })
    } finally {
      leave()
    }
  }

  async prune(signal: AbortSignal): Promise<void> {
    const leave = await this.#repository.enter(true, signal)
    try {
      await this.#watched(signal, (limits) => this.#repository.prune(limits))
    } finally {
      leave()
    }
  }

  /** Newest first. What somebody else keeps there is left out. */
  backups(signal: AbortSignal): Promise<BackupAtTarget[]> {
    return this.#soon(LIST_MS, signal, async (limits) => {
      const listed = await this.#repository.snapshots(limits.signal)
      const found = [...wholeOnes(listed).values()].flatMap((one) => backupOf(one, listed) ?? [])
      return found.sort((a, b) => b.createdAt - a.createdAt)
    })
  }

  async extract(id: string, to: string, ports: Parameters<ResticStore['extract']>[3]): Promise<void> {
    const store = new ResticStore(this.#repository, path.join(this.#folder, 'work'))
    await this.#repository.all(ports.signal)
    await store.extract(id, null, to, ports)
  }

  #soon<T>(ms: number, signal: AbortSignal, act: (limits: Limits) => Promise<T>): Promise<T> {
    const late = AbortSignal.timeout(ms)
    return this.#watched(AbortSignal.any([signal, late]), act).catch((error: unknown) => {
      throw late.aborted && !signal.aborted && error === late.reason ? notReached() : error
    })
  }

  /** restic would try for a quarter of an hour what can't succeed. */
  async #watched<T>(signal: AbortSignal, act: (limits: Limits) => Promise<T>): Promise<T> {
    const stopping = new AbortController()
    const errorLine = (line: Buffer) => {
      const failure = this.#repository.place.remote && lastingFailureOf(line.toString())
      if (failure) stopping.abort(failure)
    }
    return act({ signal: AbortSignal.any([signal, stopping.signal]), errorLine })
  }
}

interface Limits {
  signal: AbortSignal
  errorLine: (line: Buffer) => void
}

function backupOf({ id, list }: StoredBackup, listed: readonly ListedSnapshot[]): BackupAtTarget | null {
  const { tags = [], time = '' } = listed.find((one) => one.id === list.snapshot) ?? {}
  const about = aboutIn(tags)
  const createdAt = Date.parse(time)
  return about && !Number.isNaN(createdAt) ? { ...about, id, createdAt } : null
}
