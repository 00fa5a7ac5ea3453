import { realpathSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Listeners, type Stop } from '../../base/change.ts'
import { refusal } from '../../../host/refusal.ts'
import type {
  Driver,
  LastOutput,
  LineConsumer,
  ProgramSpec,
  RunningProgram,
  Survivor,
} from '../programs/driver.ts'
import type { ServerMarks } from '../server-marks.ts'
import type { ServerSpec } from '../types.ts'
import { AdoptedProgram } from './adopted-program.ts'
import type { ContainerOrigin } from './container-program.ts'
import { Engine, EngineFault, type EngineSettings } from './engine.ts'
import { listRefusalOf, refusalOf } from './engine-refusals.ts'
import { EngineSearch } from './engine-search.ts'
import {
  foreignContainer,
  foreignContainers,
  type ForeignContainer,
  type ForeignContainers,
} from './foreign-container.ts'
import { afterLast, secondsOf } from './log-times.ts'

export interface AdoptedServer {
  id: string
  /** A link to the container's. */
  folder: string
  /** Its name: who makes it anew, such as after an update, gives it the same one. */
  container: string
}

interface AdoptedPorts {
  /** Servers that were running, so that it is known which of them ended while no service was there. */
  running: Pick<ServerMarks, 'has' | 'set' | 'clear'>
  log: Logger
}

interface FollowedServer {
  server: AdoptedServer
  /** Called while it runs though nobody here started it. */
  found: () => void
  container: ForeignContainer | null
  program: AdoptedProgram | null
  last: LastOutput | null
  isStarting: boolean
}

const LOOK_MS = 2_000
/** A container that was started this recently is not taken for ready. */
const FRESH_MS = 120_000

/** Follows containers that others made, by their names. It makes, changes and removes none. */
export class AdoptedDriver implements Driver, ForeignContainers {
  readonly survivors = new Map<string, Survivor>()
  readonly #engine: Engine
  readonly #settings: EngineSettings
  readonly #ports: AdoptedPorts
  readonly #followed = new Map<string, FollowedServer>()
  readonly #news = new Listeners<FollowedServer>()
  readonly #search: EngineSearch
  readonly #closed = new AbortController()
  #isLooking = false

  private constructor(settings: EngineSettings, ports: AdoptedPorts) {
    this.#settings = settings
    this.#engine = new Engine(settings)
    this.#ports = ports
    this.#search = new EngineSearch(() => this.#lookAtAll(), settings)
  }

  /** Finds which of `known` run. An engine that isn't there yet is no reason not to start. */
  static async create(
    settings: EngineSettings,
    known: readonly AdoptedServer[],
    ports: AdoptedPorts,
  ): Promise<AdoptedDriver> {
    const driver = new AdoptedDriver(settings, ports)
    for (const server of known) driver.#followed.set(server.id, followedOf(server))
    await driver.#search.begin()
    return driver
  }

  search(): EngineSearch {
    return this.#search
  }

  /** `found` is called while its container runs though it was not started here, until its survivor is resumed. */
  follow(server: AdoptedServer, found: () => void): void {
    const one = this.#followed.get(server.id) ?? followedOf(server)
    one.found = found
    this.#followed.set(server.id, one)
    if (!this.#isLooking) void this.#keepLooking()
  }

  forget(serverId: string): void {
    this.#followed.delete(serverId)
    this.survivors.delete(serverId)
    this.#ports.running.clear(serverId)
  }

  async list(): Promise<ForeignContainer[]> {
    // Elsewhere, its folders can't be told from our own.
    if (this.#settings.address.startsWith('tcp:')) return []
    try {
      return await foreignContainers(this.#engine)
    } catch (error) {
      throw error instanceof EngineFault ? listRefusalOf(error, this.#settings) : error
    }
  }

  onFound(listener: (serverId: string, container: ForeignContainer) => void): Stop {
    const tell = ({ server, container }: FollowedServer) => container && listener(server.id, container)
    for (const one of this.#followed.values()) tell(one)
    return this.#news.on(tell)
  }

  within(spec: ServerSpec): ServerSpec {
    return spec
  }

  cutOff(): Promise<null> {
    return Promise.resolve(null)
  }

  async start(spec: ServerSpec, _program: ProgramSpec, take: LineConsumer): Promise<RunningProgram> {
    const one = this.#followed.get(spec.id)
    if (!one) throw refusal(404, 'server.not-found.deleted')
    one.isStarting = true
    try {
      const before = await this.#require(one)
      if (before.isRunning) return this.#resumed(one, before, take, Promise.resolve(null))
      const { last } = one
      const begin = last ? { last } : { from: await afterLast(this.#engine, before.id) }
      await this.#engine.post(`/containers/${before.id}/start`)
      return this.#watched(one, await this.#require(one), begin, take)
    } catch (error) {
      throw error instanceof EngineFault ? refusalOf(error, this.#settings, spec) : error
    } finally {
      one.isStarting = false
    }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    this.#search.close()
    await this.#engine.close()
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#closed
    this.#isLooking = true
    while (this.#followed.size > 0 && !signal.aborted) {
      await this.#lookAtAll().catch((error: unknown) => {
        if (!(error instanceof EngineFault))
          this.#ports.log.warn({ err: error }, 'containers could not be looked at')
      })
      await wait(LOOK_MS, undefined, { ref: false, signal }).catch(() => undefined)
    }
    this.#isLooking = false
  }

  async #lookAtAll(): Promise<void> {
    for (const one of [...this.#followed.values()]) if (!one.program && !one.isStarting) await this.#look(one)
  }

  async #look(one: FollowedServer): Promise<void> {
    const { id } = one.server
    const container = await foreignContainer(this.#engine, one.server.container)
    const isOurs = this.#followed.get(id) === one && !one.program && !one.isStarting
    if (!container || !isOurs || !isSameFolder(one.server, container)) return
    this.#saw(one, container)
    const { isRunning } = container
    if (!isRunning && !this.#ports.running.has(id)) return void this.survivors.delete(id)
    this.survivors.set(id, {
      kind: 'running',
      isFollowed: true,
      isOver: !isRunning,
      isFresh: isRunning && Date.now() - Date.parse(container.startedAt) < FRESH_MS,
      resume: (take, last) => this.#resumed(one, container, take, last),
    })
    one.found()
  }

  /** Throws 409 `adopted.gone`, `adopted.other-folder`. */
  async #require(one: FollowedServer): Promise<ForeignContainer> {
    const { container: name } = one.server
    const container = await foreignContainer(this.#engine, name)
    if (!container) throw refusal(409, 'adopted.gone', { container: name })
    if (!isSameFolder(one.server, container)) throw refusal(409, 'adopted.other-folder', { container: name })
    this.#saw(one, container)
    return container
  }

  #saw(one: FollowedServer, container: ForeignContainer): void {
    const isNew = one.container?.id !== container.id
    one.container = container
    if (isNew) this.#news.tell(one)
  }

  #resumed(
    one: FollowedServer,
    container: ForeignContainer,
    take: LineConsumer,
    kept: Promise<LastOutput | null>,
  ): RunningProgram {
    this.survivors.delete(one.server.id)
    const resumed = one.last ? Promise.resolve(one.last) : kept
    const from = secondsOf(container.finishedAt)
    return this.#watched(one, container, { resumed, from }, withoutNews(take, resumed))
  }

  #watched(
    one: FollowedServer,
    container: ForeignContainer,
    origin: Pick<ContainerOrigin, 'resumed' | 'from' | 'last'>,
    take: LineConsumer,
  ): RunningProgram {
    const program = new AdoptedProgram(this.#engine, container, origin, take)
    one.program = program
    this.#ports.running.set(one.server.id)
    program.onExit(() => {
      this.#ports.running.clear(one.server.id)
      one.last = program.last ?? one.last
      one.program = null
    })
    return program
  }
}

const followedOf = (server: AdoptedServer): FollowedServer => ({
  ...{ server, found: () => undefined, container: null, program: null, last: null, isStarting: false },
})

/** What it wrote before anybody here listened is no news. */
function withoutNews(take: LineConsumer, resumed: Promise<LastOutput | null>): LineConsumer {
  let since = 0
  void resumed.then((last) => (since = last ? 0 : Date.now()))
  return (lines, from, of = {}) =>
    take(lines, from, of.at !== undefined && of.at < since ? { ...of, isPast: true } : of)
}

function isSameFolder({ folder }: AdoptedServer, container: ForeignContainer): boolean {
  try {
    return container.folder !== null && realpathSync(folder) === realpathSync(container.folder)
  } catch {
    return false
  }
}
