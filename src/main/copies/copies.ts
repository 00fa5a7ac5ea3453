import { createHash } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { api } from '../../contract/areas/index.ts'
import type { CopyProgress, CopyState } from '../../contract/bridge/copy-calls.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { Connection, ServerRef } from '../../contract/bridge/values.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { sendsBackups } from '../../contract/rules/hosts.ts'
import type { ApiClient } from '../api/client.ts'
import { fsProblem } from '../base/fs-problem.ts'
import { problem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import type { Log } from '../logging/log.ts'
import type { ProblemConverter } from '../logging/to-problem.ts'
import { safeName } from '../transfers/items/local-names.ts'
import { CopyFolder } from './copy-folder.ts'
import { type CopyPlan, type CopyPlans, isDue, lacksCopies } from './copy-plans.ts'
import { copyServer, type CopyWork, fetchAhead } from './copy-server.ts'
import { type BackupWork, savedHostBackups, saveHostBackups } from './host-backups.ts'
import { resumeSaving, runs, whilePaused } from './pause-saving.ts'

export const COPIES = 'copies'
/** In a folder that the user chose; it is never created again, so that a missing disk is noticed. */
const IN_CHOSEN = 'Wheelhouse copies'
const TELL_EVERY = 400
/** A service that sends a byte a minute must not keep the others waiting for ever, in ms. */
const COPY_MOST = 12 * 60 * 60_000
/** How long signing out and quitting wait for `save-on`, in ms. */
const LEAVE_MS = 5000

export interface CopiesPorts {
  plans: CopyPlans
  /** Where copies are unless a folder is chosen. */
  root: string
  /** Null if it is gone. */
  connection: (id: string) => Connection | null
  client: (connectionId: string) => ApiClient
  clock: Clock
  log: Log
  toProblem: ProblemConverter
  hasFolders: boolean
  tell: (server: ServerRef, now: CopyState) => void
  note: (said: LocalizedText) => void
}

interface Running {
  server: ServerRef
  stop: AbortController
  progress: CopyProgress
  toldAt: number
  ended: Promise<void>
}

/** Nightly copies of other services' servers. One at a time. */
export class Copies {
  readonly #ports: CopiesPorts
  readonly #running = new Map<string, Running>()
  #line: Promise<void> = Promise.resolve()
  #telling: Promise<unknown> = Promise.resolve()
  #looking: Promise<void> | null = null
  #closed = false

  constructor(ports: CopiesPorts) {
    this.#ports = ports
  }

  async state(server: ServerRef): Promise<CopyState> {
    this.#checkService(server)
    const { plans, clock, hasFolders } = this.#ports
    const plan = await plans.of(server)
    const running = this.#running.get(keyOf(server))?.progress ?? null
    const base = this.#baseOf(plan)
    const isThere = plan.folder === null || (await isFolder(base))
    const { on, hour, keep, last } = plan
    return {
      ...{ on, hour, keep, last, running, hasFolders },
      folder: { path: base, isChosen: plan.folder !== null, isThere },
      isLate: running === null && isDue(plan, clock.now()) && !this.#isReady(server),
      hostBackups: sendsBackups(this.#connection(server).baseUrl)
        ? {
            ...{ on: plan.hostBackups, problem: plan.backupsProblem },
            ...(await savedHostBackups((await this.folder(server)).path)),
          }
        : null,
      copies: isThere ? await (await this.folder(server)).list() : [],
    }
  }

  async change(
    server: ServerRef,
    { on, ...more }: Partial<Pick<CopyPlan, 'on' | 'hour' | 'keep' | 'folder' | 'hostBackups'>>,
  ): Promise<CopyState> {
    this.#checkService(server)
    const { plans, clock } = this.#ports
    const turned = on !== undefined && on !== (await plans.of(server)).on
    const since = { on: on ?? false, since: new Date(clock.now()).toISOString(), isTold: false }
    await plans.change(server, { ...more, ...(turned && since) })
    if (turned && !on && !this.#running.has(keyOf(server)))
      await (await this.folder(server)).discardUnfinished()
    return await this.#tell(server)
  }

  /** @param picked null: the usual folder */
  async choose(server: ServerRef, picked: string | null): Promise<CopyState> {
    if (picked === null) return await this.change(server, { folder: null })
    const folder = basename(picked) === IN_CHOSEN ? picked : join(picked, IN_CHOSEN)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
    } catch (error) {
      throw fsProblem(error, folder)
    }
    return await this.change(server, { folder })
  }

  async begin(server: ServerRef): Promise<void> {
    this.#checkService(server)
    if (this.#running.has(keyOf(server)))
      throw problem('conflict', localized('copies.busy'), { retryable: false })
    // Something to record its end in.
    await this.#ports.plans.change(server, {})
    this.#queue(server)
  }

  cancel(server: ServerRef): void {
    this.#running.get(keyOf(server))?.stop.abort(problem('conflict', localized('copies.cancelled')))
  }

  async remove(server: ServerRef, id: string): Promise<CopyState> {
    const folder = await this.folder(server)
    if (!(await isFolder(folder.pathOf(id)))) throw gone()
    await folder.remove(id).catch((error: unknown) => {
      throw fsProblem(error, id)
    })
    return await this.#tell(server)
  }

  /** The path of a copy. Problem `not-found` if it is gone. */
  async pathOf(server: ServerRef, id: string): Promise<string> {
    const path = (await this.folder(server)).pathOf(id)
    if (!(await isFolder(path))) throw gone()
    return path
  }

  /** Named so that it is found again under another connection to the same service, and if the server is renamed. */
  async folder(server: ServerRef): Promise<CopyFolder> {
    const plan = await this.#ports.plans.of(server)
    const { baseUrl } = this.#connection(server)
    const host = join(this.#baseOf(plan), safeName(new URL(baseUrl).host))
    const mark = ` (${createHash('sha256').update(`${baseUrl}\0${server.serverId}`).digest('hex').slice(0, 8)})`
    const names = await readdir(host).catch(() => [])
    const found = names.find((name) => name.endsWith(mark))
    return new CopyFolder(join(host, found ?? safeName(plan.name || 'server') + mark))
  }

  /** Makes copies that are due, turns saving on again where that is left to do, and tells of missing copies. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look()
      .catch((error: unknown) =>
        this.#ports.log.warn('the copies of servers could not be looked after', { error }),
      )
      .finally(() => (this.#looking = null)))
  }

  async #look(): Promise<void> {
    const { plans, clock, note } = this.#ports
    for (const plan of await plans.all()) {
      if (this.#closed) return
      const { connectionId, serverId, name } = plan
      const server = { connectionId, serverId }
      if (lacksCopies(plan, clock.now())) {
        note(localized('copies.none-lately', { server: name || serverId }))
        await plans.update(server, { isTold: true })
      }
      if (this.#running.has(keyOf(server)) || !this.#isReady(server)) continue
      if (plan.isPaused) await resumeSaving(this.#pausing(server))
      if (isDue(plan, clock.now())) this.#queue(server)
    }
  }

  /** Ends copies of a connection; null: of all. Waits until saving is on again, within limits. */
  async leave(connectionId: string | null): Promise<void> {
    this.#closed ||= connectionId === null
    const ending = [...this.#running.values()].filter(
      ({ server }) => connectionId === null || server.connectionId === connectionId,
    )
    for (const { stop } of ending) stop.abort(new Leaving())
    const late = new AbortController()
    await Promise.race([
      Promise.all(ending.map(({ ended }) => ended)),
      this.#ports.clock.sleep(LEAVE_MS, late.signal).catch(() => undefined),
    ])
    late.abort()
  }

  #queue(server: ServerRef): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = new AbortController()
    const running: Running = { server, stop, progress: { kind: 'waiting' }, toldAt: 0, ended: promise }
    this.#running.set(keyOf(server), running)
    this.#tellBehind(server)
    this.#line = this.#line.then(async () => {
      await this.#run(running).catch((error: unknown) =>
        this.#ports.log.warn('the end of a copy could not be recorded', { error }),
      )
      this.#running.delete(keyOf(server))
      resolve()
      if (!(stop.signal.reason instanceof Leaving)) this.#tellBehind(server)
    })
  }

  async #run(running: Running): Promise<void> {
    const { server, stop } = running
    const { plans, clock, toProblem } = this.#ports
    const limit = AbortSignal.timeout(COPY_MOST)
    const signal = AbortSignal.any([stop.signal, limit])
    let ended: Problem | null = null
    let good: Pick<CopyPlan, 'lastGood' | 'isTold'> | null = null
    try {
      signal.throwIfAborted()
      good = { lastGood: await this.#copy(running, signal), isTold: false }
    } catch (error) {
      if (stop.signal.reason instanceof Leaving) return
      const folder = await this.folder(server).catch(() => null)
      if (stop.signal.aborted) await folder?.discardUnfinished().catch(() => undefined)
      const { host } = new URL(this.#connection(server).baseUrl)
      ended = toProblem(
        limit.aborted
          ? problem('offline', localized('reach.too-long', { host }))
          : fsProblem(error, basename(folder?.path ?? '')),
      )
    }
    const last = { at: new Date(clock.now()).toISOString(), problem: ended }
    await plans.update(server, { last, ...good })
  }

  /** Returns when it was begun. */
  async #copy(running: Running, signal: AbortSignal): Promise<string> {
    const { server } = running
    const { plans, clock } = this.#ports
    const client = this.#ports.client(server.connectionId)
    const { serverId } = server
    const at = new Date(clock.now()).toISOString()
    const { value: about } = await client.send(api.servers.read, { params: { serverId } }, { signal })
    await plans.update(server, { name: about.name })
    const { folder: chosen, keep, hostBackups } = await plans.of(server)
    if (chosen !== null && !(await isFolder(chosen)))
      throw problem('conflict', localized('copies.no-folder', { folder: chosen }), { retryable: false })
    const folder = await this.folder(server)
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    const progress = (now: CopyProgress) => this.#moved(running, now)
    const work: CopyWork = { client, serverId, signal, folder, clock, progress }
    const pausing = { ...this.#pausing(server), signal }
    if (!(await runs(pausing)))
      await copyServer(work, { at, saving: 'stopped' }, { fetchedBytes: 0, fetchedFiles: 0 })
    else {
      const ahead = await fetchAhead(work)
      progress({ kind: 'pausing' })
      await whilePaused(pausing, (isPaused) =>
        copyServer(work, { at, saving: isPaused ? 'paused' : 'running' }, ahead),
      )
    }
    await folder.prune(keep)
    if (hostBackups) await this.#saveBackups(server, { ...work, folder: folder.path, keep })
    return at
  }

  /** The copy is made by then: what goes wrong is told apart from it. */
  async #saveBackups(server: ServerRef, work: BackupWork): Promise<void> {
    const { plans, toProblem } = this.#ports
    try {
      await saveHostBackups(work)
      await plans.update(server, { backupsProblem: null })
    } catch (error) {
      work.signal.throwIfAborted()
      await plans.update(server, { backupsProblem: toProblem(fsProblem(error, basename(work.folder))) })
    }
  }

  #pausing(server: ServerRef) {
    const { client, clock, plans } = this.#ports
    const paused = async (isPaused: boolean) => void (await plans.update(server, { isPaused }))
    return { client: client(server.connectionId), serverId: server.serverId, clock, paused }
  }

  #moved(running: Running, now: CopyProgress): void {
    const isOther = running.progress.kind !== now.kind
    running.progress = now
    const at = this.#ports.clock.elapsed()
    if (!isOther && at - running.toldAt < TELL_EVERY) return
    running.toldAt = at
    this.#tellBehind(running.server)
  }

  /** In order: an older state must not be told after a newer one. */
  #tell({ connectionId, serverId }: ServerRef): Promise<CopyState> {
    const server = { connectionId, serverId }
    const told = this.#telling.then(async () => {
      const now = await this.state(server)
      this.#ports.tell(server, now)
      return now
    })
    this.#telling = told.catch(() => undefined)
    return told
  }

  #tellBehind(server: ServerRef): void {
    void this.#tell(server).catch((error: unknown) =>
      this.#ports.log.warn('the state of copies could not be told', { error }),
    )
  }

  #baseOf({ folder }: Pick<CopyPlan, 'folder'>): string {
    return folder ?? this.#ports.root
  }

  #isReady({ connectionId }: ServerRef): boolean {
    return this.#ports.connection(connectionId)?.state.kind === 'ready'
  }

  #connection({ connectionId }: ServerRef): Connection {
    const connection = this.#ports.connection(connectionId)
    if (!connection) throw problem('not-found', localized('account.gone'))
    return connection
  }

  #checkService(server: ServerRef): void {
    if (this.#connection(server).kind === 'local')
      throw problem('refused', localized('copies.local'), { retryable: false })
  }
}

/** The panel ends, or the user signs out: the copy isn't over, and is made later. */
class Leaving extends Error {}

const gone = () => problem('not-found', localized('copies.gone'))

const keyOf = ({ connectionId, serverId }: ServerRef): string => JSON.stringify([connectionId, serverId])

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
