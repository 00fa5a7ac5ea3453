import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, open, rm } from 'node:fs/promises'
import { diskFullRefusal } from '../../disk-full.ts'
import { asRefusal } from '../../files/refusals.ts'
import { refusal, Refusal } from '../../refusal.ts'
import type { CatalogVersion } from './catalogs/extension-catalog.ts'
import type { ExtensionsPorts } from './extensions.ts'
import type { JarFile } from './folder-view.ts'
import type { Facts, JarFacts } from './jars/facts.ts'
import type { JarReader } from './jars/jar-reader.ts'
import { loadsOf } from './loads.ts'
import { InstallWaits } from './install-waits.ts'
import * as refusals from './refusals.ts'
import type { Installed, ServerExtensions } from './server-extensions.ts'
import { originOf } from './updates.ts'
import { markOf, type Items, type Step } from './workspace.ts'

/** Downloads of one server at once. */
const AT_ONCE = 3
/** Progress is told so often at most, in milliseconds. */
const TELL_MS = 500

interface InstallsPorts extends Pick<ExtensionsPorts, 'catalogs' | 'clock' | 'log' | 'all'> {
  of: (serverId: string) => Promise<ServerExtensions>
  reader: JarReader
  tell: (serverId: string, all: boolean) => void
}

/** One extension that is to come, and what it takes the place of. */
export interface ToInstall {
  version: CatalogVersion
  /** Id of what is installed; null where it is not there yet, as far as its catalog says. */
  extensionId: string | null
}

/** An installation that is under way. */
interface Run {
  at: number
  done: number
  total: number | null
  /** Bytes that have their place beside the server's folder already. */
  staged: number
  waits: InstallWaits
  abort: AbortController
  ended: Promise<void>
}

/** A jar that was downloaded and is ready to get its place. */
interface Prepared extends ToInstall {
  staged: string
  mark: string
  size: number
  facts: JarFacts
}

/** What is being installed on which server: one thing at a time on each. */
export class Installs {
  readonly #ports: InstallsPorts
  readonly #running = new Map<string, Run>()
  #closed = false

  constructor(ports: InstallsPorts) {
    this.#ports = ports
  }

  /** Null where nothing is being installed. */
  running(serverId: string): Readonly<Pick<Run, 'at' | 'done' | 'total' | 'waits'>> | null {
    return this.#running.get(serverId) ?? null
  }

  /** Throws 409 `extensions.busy` while something is being installed on a server. */
  requireIdle(serverId: string): void {
    if (this.#running.has(serverId)) throw refusals.busy()
  }

  /**
   * Begins to install what `choose` answers; it goes on by itself, and `extensions.changes` tells how it ended. Throws 409
   * `extensions.busy`.
   */
  begin(
    serverId: string,
    choose: (extensions: ServerExtensions, signal: AbortSignal) => Promise<ToInstall[]>,
    checkAgain: () => void,
  ): void {
    this.requireIdle(serverId)
    if (this.#closed) throw stopping()
    const abort = new AbortController()
    const run: Run = {
      ...{ at: this.#ports.clock.now(), done: 0, total: null, staged: 0 },
      ...{ waits: new InstallWaits(), abort, ended: Promise.resolve() },
    }
    this.#running.set(serverId, run)
    run.ended = this.#run(serverId, run, choose, checkAgain).finally(() => {
      this.#running.delete(serverId)
      this.#ports.tell(serverId, true)
    })
  }

  /** Ends what is being installed; resolves when nothing of it goes on. Throws 409 `extensions.not-running`. */
  async cancel(serverId: string): Promise<void> {
    const run = this.#running.get(serverId)
    if (!run) throw refusals.notRunning()
    run.abort.abort(refusals.canceled())
    await run.ended
  }

  /** The same before a server is deleted. */
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

  /** Never rejects. */
  async #run(
    serverId: string,
    run: Run,
    choose: (extensions: ServerExtensions, signal: AbortSignal) => Promise<ToInstall[]>,
    checkAgain: () => void,
  ): Promise<void> {
    const { log } = this.#ports
    const { signal } = run.abort
    let extensions: ServerExtensions | null = null
    try {
      extensions = await this.#ports.of(serverId)
      const { software, version } = extensions.target
      const chosen = await choose(extensions, signal)
      const prepared = await this.#prepare(serverId, extensions, chosen, run)
      signal.throwIfAborted()
      const before = await extensions.list()
      await extensions.commit(
        (jars) => this.#stepsFor(extensions!, prepared, before, jars),
        () => {
          signal.throwIfAborted()
          // What was chosen fits what the server ran then.
          const { target } = extensions!
          if (target.software !== software || target.version !== version) throw refusals.canceled()
          checkAgain()
        },
      )
    } catch (error) {
      const refusal = refusalFor(error)
      if (!refusal) log.error({ err: error, serverId }, 'extensions could not be installed')
      try {
        extensions?.failed(refusal ?? failedInside())
      } catch (failed) {
        log.error({ err: failed, serverId }, 'why extensions were not installed could not be noted')
      }
    } finally {
      extensions?.work.preparing.clear()
      await extensions?.sweep().catch((error: unknown) => log.warn({ err: error, serverId }, 'not swept'))
    }
  }

  /** Downloads all of it, and puts copies beside the server's folder. */
  async #prepare(
    serverId: string,
    extensions: ServerExtensions,
    chosen: readonly ToInstall[],
    run: Run,
  ): Promise<Prepared[]> {
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
    return await eachOf(chosen, AT_ONCE, run.abort, async (one, at, signal) => {
      const { file } = one.version
      if (!file) throw refusals.cannot([one.version.projectName])
      const onProgress = (done: number) => progress(at, done)
      const kept = await catalogs.downloads
        .fetch(file, { signal, onProgress, ...run.waits.of(at) })
        .finally(() => run.waits.ended(at))
      // What the catalog says of sizes is not believed, and of some it says none.
      const { size } = await lstat(kept)
      // In one step: two that come at once would otherwise each count alone.
      run.staged += size
      await files.requireSpace(run.staged)
      return await this.#stage(extensions, one, kept)
    })
  }

  async #stage(extensions: ServerExtensions, one: ToInstall, kept: string): Promise<Prepared> {
    const { work } = extensions
    const staged = `${randomUUID()}.jar`
    work.preparing.add(staged)
    const at = work.staged(staged)
    try {
      await copyFile(kept, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      await using handle = await open(at, 'r+')
      await handle.sync()
    } catch (error) {
      await rm(at, { force: true })
      throw error
    }
    const stat = await lstat(at)
    const mark = markOf(stat)
    const facts = await extensions.readStaged(staged)
    if (!facts) throw refusals.notAJar(one.version.projectName)
    extensions.know(mark, { facts, origin: originOf(one.version) })
    return { ...one, staged, mark, size: stat.size, facts }
  }

  /** Each one takes the place of what is the same extension, whatever its file is called, or comes to the others. */
  #stepsFor(
    extensions: ServerExtensions,
    prepared: readonly Prepared[],
    before: readonly Installed[],
    jars: ReadonlyMap<string, JarFile>,
  ): { items: Items; steps: Step[] } {
    const loads = loadsOf(extensions.target)
    if (!loads) throw refusals.notSupported()
    const outs: Step[] = []
    const ins: Step[] = []
    const items: Items = []
    const newTrash = extensions.newTrash()
    const taken = new Set([...jars.keys()].map((path) => path.toLowerCase()))
    const gone = new Set<string>()
    for (const one of prepared) {
      const facts =
        loads.formats.flatMap((of) => one.facts?.find(({ format }) => format === of) ?? [])[0] ?? null
      const replaced = before.filter(
        ({ id, known, facts: there, jar }) =>
          jars.get(jar.path)?.mark === jar.mark &&
          !gone.has(jar.path) &&
          (id === one.extensionId || known.origin?.project === one.version.project || isSame(facts, there)),
      )
      for (const { jar } of replaced) {
        const { path, mark, size } = jar
        outs.push({ kind: 'out', path, trash: newTrash(), mark, size })
        gone.add(path)
        taken.delete(path.toLowerCase())
      }
      const ending = replaced.length > 0 && replaced.every(({ enabled }) => !enabled) ? '.disabled' : ''
      const path = freePath(`${loads.folder}/${fileName(one.version)}`, ending, taken)
      taken.add(path.toLowerCase())
      const { staged, mark, size } = one
      ins.push({ kind: 'in', staged, path, mark, size })
      const [old] = replaced
      items.push({
        name: facts?.name ?? one.version.projectName,
        from: old ? (old.facts?.version ?? old.known.origin?.version ?? null) : null,
        to: one.version.name,
      })
    }
    return { items, steps: [...outs, ...ins] }
  }
}

const isSame = (one: Facts | null, other: Facts | null): boolean =>
  one !== null && one.format === other?.format && one.id.toLowerCase() === other.id.toLowerCase()

/** The name a catalog gives, as far as every system can hold it. */
function fileName({ file, projectName }: CatalogVersion): string {
  const name = (file?.name ?? projectName)
    .replace(/\.jar$/i, '')
    // eslint-disable-next-line no-control-regex -- these are what must not be in one
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '_')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 120)
  return name === '' ? 'extension' : name
}

function freePath(path: string, ending: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const one = `${path}${number === 1 ? '' : ` (${number})`}.jar`
    if (!taken.has(one.toLowerCase()) && !taken.has(`${one}.disabled`.toLowerCase())) return one + ending
  }
}

/** Does something for each of many, some at once; with the first that fails the others end. In their order. */
async function eachOf<T, R>(
  all: readonly T[],
  atOnce: number,
  abort: AbortController,
  act: (one: T, at: number, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const ended = new AbortController()
  const signal = AbortSignal.any([abort.signal, ended.signal])
  let next = 0
  const work = async () => {
    while (next < all.length) {
      signal.throwIfAborted()
      const at = next++
      results[at] = await act(all[at]!, at, signal)
    }
  }
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, all.length) }, () =>
      work().catch((error: unknown) => {
        ended.abort(error)
        throw error
      }),
    ),
  )
  abort.signal.throwIfAborted()
  for (const worker of workers) if (worker.status === 'rejected') throw ended.signal.reason as Error
  return results
}

function refusalFor(error: unknown): Refusal | null {
  const told = diskFullRefusal(error) ?? asRefusal(error, '')
  return told instanceof Refusal ? told : null
}

const failedInside = () => refusal(500, 'service.failed')

const stopping = () => refusal(503, 'service.stopping.installation')
