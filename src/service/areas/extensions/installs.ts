import { lstat } from 'node:fs/promises'
import { diskFullRefusal } from '../../base/computer-limits.ts'
import { eachInParallel } from '../../../host/each-in-parallel.ts'
import { asRefusal } from '../../files/names/refusals.ts'
import { refusal, Refusal } from '../../../host/refusal.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import type { Target } from '../../../extensions/catalogs/extension-catalog.ts'
import type { ExtensionsPorts } from './extensions.ts'
import type { JarReader } from '../../extensions/jars/jar-reader.ts'
import { loadsOf } from '../../../extensions/folder/loads.ts'
import { InstallWaits } from './install-waits.ts'
import * as refusals from '../../../extensions/folder/refusals.ts'
import type { ExtensionJar } from '../../../extensions/installed/extension-jar.ts'
import type { InstallTarget } from '../../../extensions/installed/planning.ts'
import type { ServerExtensions } from './server-extensions.ts'
import { originOf } from '../../../extensions/installed/updates.ts'
import { type ReadyJar, stepsFor } from '../../../extensions/installed/ready-jars.ts'
import { stageCopy, stageSent } from './stage-jars.ts'
import type { Change } from '../../../extensions/folder/change.ts'

const AT_ONCE = 3
const TELL_MS = 500

interface InstallsPorts extends Pick<ExtensionsPorts, 'catalogs' | 'clock' | 'log' | 'all'> {
  of: (serverId: string) => Promise<ServerExtensions>
  reader: JarReader
  tell: (serverId: string, all: boolean) => void
}

interface InstallBatch {
  at: number
  done: number
  total: number | null
  staged: number
  waits: InstallWaits
  abort: AbortController
  ended: Promise<void>
}

const newRun = (at: number): InstallBatch => ({
  ...{ at, done: 0, total: null, staged: 0, waits: new InstallWaits() },
  ...{ abort: new AbortController(), ended: Promise.resolve() },
})

/** One installation per server at a time. */
export class Installs {
  readonly #ports: InstallsPorts
  readonly #running = new Map<string, InstallBatch>()
  #closed = false

  constructor(ports: InstallsPorts) {
    this.#ports = ports
  }

  running(serverId: string): Readonly<Pick<InstallBatch, 'at' | 'done' | 'total' | 'waits'>> | null {
    return this.#running.get(serverId) ?? null
  }

  /** Throws 409 `extensions.busy`. */
  requireIdle(serverId: string): void {
    if (this.#running.has(serverId)) throw refusals.busy()
  }

  /**
   * Installs what `choose` returns, in the background; `extensions.changes` reports the result. Throws 409
   * `extensions.busy`.
   */
  begin(
    serverId: string,
    choose: (extensions: ServerExtensions, signal: AbortSignal) => Promise<InstallTarget[]>,
    checkAgain: () => void,
  ): void {
    // Noted as it was refused.
    this.install(serverId, choose, checkAgain).catch(() => undefined)
  }

  /** As `begin`, and rejects with what it notes. */
  install(
    serverId: string,
    choose: (extensions: ServerExtensions, signal: AbortSignal) => Promise<InstallTarget[]>,
    checkAgain: () => void,
  ): Promise<Change> {
    return this.#start(serverId, (run) => this.#run(serverId, run, choose, checkAgain))
  }

  #start<T>(serverId: string, work: (run: InstallBatch) => Promise<T>): Promise<T> {
    this.requireIdle(serverId)
    if (this.#closed) throw stopping()
    const run = newRun(this.#ports.clock.now())
    this.#running.set(serverId, run)
    const result = work(run).finally(() => {
      this.#running.delete(serverId)
      this.#ports.tell(serverId, true)
    })
    run.ended = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }

  /**
   * Adds uploaded jars; all or nothing. Throws 409 `extensions.busy`, 422 `extensions.unreadable`, file refusals, and
   * what `checkAgain` throws.
   * @param from file paths by name
   */
  async adopt(
    serverId: string,
    from: ServerFiles,
    names: readonly string[],
    checkAgain: () => void,
  ): Promise<ExtensionJar[]> {
    return await this.#start(serverId, (run) =>
      this.#adopt(serverId, from, names, run.abort.signal, checkAgain),
    )
  }

  async #adopt(
    serverId: string,
    from: ServerFiles,
    names: readonly string[],
    signal: AbortSignal,
    checkAgain: () => void,
  ): Promise<ExtensionJar[]> {
    const extensions = await this.#ports.of(serverId)
    try {
      const { target } = extensions
      if (!loadsOf(target)) throw refusals.notSupported()
      const ready = await stageSent(extensions, this.#ports.all.of(serverId), from, names, signal)
      const { steps } = await this.#commit(extensions, ready, target, signal, checkAgain)
      const paths = new Set(steps.flatMap(({ to }) => (to.folder === 'server' ? to.path : [])))
      return (await extensions.list()).filter(({ jar }) => paths.has(jar.path))
    } finally {
      await this.#letGo(serverId, extensions)
    }
  }

  async #letGo(serverId: string, extensions: ServerExtensions | null): Promise<void> {
    const { log } = this.#ports
    extensions?.work.preparing.clear()
    await extensions?.sweep().catch((error: unknown) => log.warn({ err: error, serverId }, 'not swept'))
  }

  /** Resolves when the installation has ended. Throws 409 `extensions.not-running`. */
  async cancel(serverId: string): Promise<void> {
    const run = this.#running.get(serverId)
    if (!run) throw refusals.notRunning()
    run.abort.abort(refusals.canceled())
    await run.ended
  }

  async end(serverId: string): Promise<void> {
    if (this.#running.has(serverId)) await this.cancel(serverId)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      [...this.#running.values()].map((run) => {
        run.abort.abort(stopping())
        return run.ended
      }),
    )
  }

  async #run(
    serverId: string,
    run: InstallBatch,
    choose: (extensions: ServerExtensions, signal: AbortSignal) => Promise<InstallTarget[]>,
    checkAgain: () => void,
  ): Promise<Change> {
    const { log } = this.#ports
    const { signal } = run.abort
    let extensions: ServerExtensions | null = null
    try {
      extensions = await this.#ports.of(serverId)
      const { target } = extensions
      const chosen = await choose(extensions, signal)
      const ready = await this.#prepare(serverId, extensions, chosen, run)
      return await this.#commit(extensions, ready, target, signal, checkAgain)
    } catch (error) {
      const refusal = refusalFor(error)
      if (!refusal) log.error({ err: error, serverId }, 'extensions could not be installed')
      try {
        extensions?.failed(refusal ?? failedInside())
      } catch (failed) {
        log.error({ err: failed, serverId }, 'why extensions were not installed could not be noted')
      }
      throw refusal ?? error
    } finally {
      await this.#letGo(serverId, extensions)
    }
  }

  async #prepare(
    serverId: string,
    extensions: ServerExtensions,
    chosen: readonly InstallTarget[],
    run: InstallBatch,
  ): Promise<ReadyJar[]> {
    const { catalogs, all, tell } = this.#ports
    if (!catalogs) throw refusals.noCatalog()
    const files = all.of(serverId)
    const sizes = chosen.map(({ version }) => version.file?.size ?? 0)
    run.total = sizes.reduce((sum, size) => sum + size, 0)
    await files.requireSpace(run.total)
    const far = chosen.map(() => 0)
    let toldAt = 0
    const progress = (at: number, bytes: number) => {
      far[at] = bytes
      run.done = far.reduce((sum, one) => sum + one, 0)
      const now = performance.now()
      if (now - toldAt < TELL_MS) return
      toldAt = now
      tell(serverId, false)
    }
    return await eachInParallel(chosen, AT_ONCE, run.abort.signal, async (one, at, signal) => {
      const { file } = one.version
      if (!file) throw refusals.cannot([one.version.projectName])
      const onProgress = (done: number) => progress(at, done)
      const kept = await catalogs.downloads
        .fetch(file, { signal, onProgress, ...run.waits.of(at) })
        .finally(() => run.waits.ended(at))
      // Catalogs' sizes are missing or unreliable.
      const { size } = await lstat(kept)
      // Without await in between, so that parallel downloads are all counted.
      run.staged += size
      await files.requireSpace(run.staged)
      return await this.#stage(extensions, one, kept)
    })
  }

  async #stage(extensions: ServerExtensions, one: InstallTarget, kept: string): Promise<ReadyJar> {
    const { version, extensionId } = one
    const staged = await stageCopy(extensions.work, kept)
    const read = await extensions.readStaged(staged.staged)
    if (!read?.facts) throw refusals.notAJar(version.projectName)
    extensions.know(staged.mark, { ...read, origin: originOf(version) })
    const { facts } = read
    const { file, projectName, project, name } = version
    const fileName = file?.name ?? projectName
    return { ...staged, facts, fileName, name: projectName, version: name, extensionId, project }
  }

  async #commit(
    extensions: ServerExtensions,
    ready: readonly ReadyJar[],
    { software, version }: Target,
    signal: AbortSignal,
    checkAgain: () => void,
  ): Promise<Change> {
    signal.throwIfAborted()
    const before = await extensions.list()
    return await extensions.commit(
      (jars) => stepsFor(extensions, ready, before, jars),
      () => {
        signal.throwIfAborted()
        // The choice was made for the previous software.
        const { target } = extensions
        if (target.software !== software || target.version !== version) throw refusals.canceled()
        checkAgain()
      },
    )
  }
}

function refusalFor(error: unknown): Refusal | null {
  const told = diskFullRefusal(error) ?? asRefusal(error, '')
  return told instanceof Refusal ? told : null
}

const failedInside = () => refusal(500, 'service.failed')

const stopping = () => refusal(503, 'service.stopping.installation')
