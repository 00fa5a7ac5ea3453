import type { PartId } from '../../contract/messages/refusals/index.ts'
import { join } from 'node:path'
import { ConsoleLog } from './console/console-log.ts'
import { refusal } from '../../host/refusal.ts'
import { adoptedSoftware, requireDecided } from './adopted-server.ts'
import type { Software } from '../software/software.ts'
import { StartHooks, type StartCheck, type StartPreparation } from './before-start.ts'
import { Listeners, type Stop } from '../base/change.ts'
import { CrashRecords, type KeptCrash } from './crashes/crash-records.ts'
import { goneOf, type Nodes } from './programs/driver.ts'
import type { Work, WorkWords } from './install-run.ts'
import type { EventStream, Reader, StreamSubscription } from './event-stream.ts'
import { EventStreams } from './event-streams.ts'
import { ManagedServer } from './managed-server.ts'
import { hurried, patient, type RuntimeTuning } from './runtime-tuning.ts'
import type { PlayerNews, Players } from './online-players.ts'
import type { DriverName } from '../../contract/areas/values/container-config.ts'
import { Drivers } from './drivers.ts'
import { KeptAwake } from './keep-awake.ts'
import { Restarts } from './restarts.ts'
import { holdsPort } from './server-phase.ts'
import { ServerMarks } from './server-marks.ts'
import { type ApartLimits, type ApartResult, startApart } from './start-apart.ts'
import type { UseSample } from './stats/stats-history.ts'
import { versionsOf } from './versions.ts'
import type {
  CatalogEntry,
  FileJobInput,
  Runtime,
  RuntimeOptions,
  RuntimeStatusInput,
  ServerSpec,
  VersionEntry,
} from './types.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'

const SAMPLE_MS = 2_000
type ServerMap = Map<string, ManagedServer>

/** Finds survivors of an earlier service and stops them in the background. */
export async function createRuntime(options: RuntimeOptions & RuntimeTuning): Promise<Runtime> {
  const { survivorMs = 30_000, ...others } = options
  const servers: ServerMap = new Map()
  return new ServerRuntime(options, await Drivers.create({ ...others, survivorMs, servers }), servers)
}

class ServerRuntime implements Runtime {
  readonly #options: RuntimeOptions & RuntimeTuning
  readonly #driver: Drivers
  readonly #software: ReadonlyMap<string, Software>
  readonly #beforeStart = new StartHooks()
  readonly #servers: ServerMap
  readonly #streams = new EventStreams()
  readonly #unheard = (error: unknown) => this.#options.log.error({ err: error }, 'not everybody heard of it')
  readonly #playerNews = new Listeners<{ serverId: string; news: PlayerNews }>(this.#unheard)
  readonly #statusNews = new Listeners<{ serverId: string; status: RuntimeStatusInput }>(this.#unheard)
  readonly #useNews = new Listeners<{ serverId: string; sample: UseSample }>(this.#unheard)
  readonly #sampling: NodeJS.Timeout
  readonly #closing = new AbortController()
  readonly closing = this.#closing.signal
  readonly nodes: Nodes | null
  readonly foreign: Runtime['foreign']
  readonly drivers: readonly DriverName[]
  readonly #crashes: CrashRecords
  readonly #restarts = new Restarts()
  readonly #sleepers: ServerMarks
  readonly #keptAwake = new KeptAwake()
  #consolesClosed: Promise<unknown> | null = null

  constructor(options: RuntimeOptions & RuntimeTuning, driver: Drivers, servers: ServerMap) {
    this.#options = options
    this.#driver = driver
    this.#servers = servers
    this.nodes = driver.nodes ?? null
    this.foreign = driver.foreign
    this.drivers = driver.offered
    this.#software = new Map(options.software.map((one) => [one.id, this.#beforeStart.of(one)]))
    this.#crashes = new CrashRecords(options.dataDir)
    this.#sleepers = new ServerMarks(options.dataDir, 'sleeping')
    this.#sampling = setInterval(() => this.#sample(), SAMPLE_MS)
    this.#sampling.unref()
  }

  catalog(): CatalogEntry[] {
    return [...this.#software.values()].map(({ id, name, description, license, isProxy, isBrought }) => ({
      ...{ id, name, description },
      ...(license && { license }),
      ...(isProxy && { isProxy }),
      ...(isBrought && { isBrought }),
    }))
  }

  async versions(softwareId: string): Promise<VersionEntry[]> {
    const software = this.#software.get(softwareId)
    if (!software) throw refusal(404, 'software.not-found')
    return versionsOf(software, this.closing, this.#options.versionsMs)
  }

  install(serverId: string): void {
    const server = this.find(serverId)
    // Added while closing: nobody would wait for the download.
    if (!this.#closing.signal.aborted) server.install()
  }

  add(spec: ServerSpec): void {
    if (this.#servers.has(spec.id)) throw new Error(`The server ${spec.id} was added before`)
    const { dataDir, epoch, stop = patient, answer, log, console: consoleLimits } = this.#options
    const server = new ManagedServer(spec, {
      driver: this.#driver,
      console: new ConsoleLog(join(dataDir, 'console', encodeURIComponent(spec.id)), epoch, consoleLimits),
      crashes: this.#crashes,
      sleepers: this.#sleepers,
      softwareOf: (id) => this.#softwareOf(id, spec),
      ...{ limits: stop, answer },
      failed: (err) => log.warn({ err, serverId: spec.id }, 'its limits could not be changed'),
      requireMayStart: (say) => this.#beforeStart.require(spec.id, say),
      freePort: () => this.#beforeStart.freePort(spec.id),
      runsOnPort: (port, exceptId) => this.#runsOnPort(port, exceptId),
    })
    this.#servers.set(spec.id, server)
    this.#driver.follow(spec, () => server.found())
    server.online.news.on((news) => this.#playerNews.tell({ serverId: spec.id, news }))
    let told: unknown = server.status().status
    let toldCrash = server.crashes.crash
    server.changes.on((change) => {
      if (change === 'stats') this.#tellUse(server)
      const now = server.status()
      if (change !== 'status' || now.status === told) return
      told = now.status
      log.info({ serverId: spec.id, status: now.status }, 'server status')
      // A failed restart isn't another crash.
      if (now.status === 'crashed' && toldCrash === server.crashes.crash) return
      toldCrash = server.crashes.crash
      this.#statusNews.tell({ serverId: spec.id, status: now })
      if (now.status === 'crashed') this.#restarts.crashed(server)
    })
  }

  #softwareOf(id: string, { container }: ServerSpec): Software | null {
    const software = this.#software.get(id) ?? null
    return container ? this.#beforeStart.of(adoptedSoftware(id, software)) : software
  }

  #tellUse({ spec, stats, online }: ManagedServer): void {
    const { cpuPercent, memoryBytes } = stats.newest ?? {}
    if (typeof cpuPercent !== 'number' || typeof memoryBytes !== 'number') return
    const sample = { cpu: cpuPercent, memory: memoryBytes, players: online.count.online }
    this.#useNews.tell({ serverId: spec.id, sample })
  }

  update(spec: ServerSpec): void {
    this.#servers.get(spec.id)?.update(spec)
  }

  isDown(serverId: string): boolean {
    return this.#servers.get(serverId)?.isDown ?? true
  }

  requireDown(serverId: string, then: PartId = 'delete-it'): void {
    const { container } = this.#servers.get(serverId)?.spec ?? {}
    if (container && requireDecided(container, then)) return
    if (this.isDown(serverId)) return
    const { missing } = this.find(serverId)
    if (missing) throw missing
    const { status } = this.find(serverId).status()
    if (status === 'installing') throw refusal(409, 'server.installing.wait', { then })
    throw refusal(409, 'server.running.stop-first', { then })
  }

  work(serverId: string, words: WorkWords, work: Work): Promise<boolean> {
    return this.find(serverId).work(words, work)
  }

  software(softwareId: string): Software | null {
    return this.#software.get(softwareId) ?? null
  }

  async forget(serverId: string): Promise<void> {
    const server = this.#servers.get(serverId)
    this.#servers.delete(serverId)
    this.#restarts.forget(serverId)
    this.#crashes.forget(serverId)
    this.#sleepers.clear(serverId)
    this.#streams.leaveOut(serverId)
    if (!server) return
    this.#driver.forget(serverId)
    for (const { installation } of this.#software.values()) installation?.forget(serverId)
    // One in a container of others runs on.
    if (server.spec.container) await server.shutDown(patient)
    await server.console.destroy()
  }

  status(serverId: string): RuntimeStatusInput | null {
    return this.#servers.get(serverId)?.status() ?? null
  }

  players(serverId: string): Players | null {
    return this.#servers.get(serverId)?.online.all ?? null
  }

  isOffline(serverId: string): boolean {
    const software = this.#software.get(this.#servers.get(serverId)?.spec.software.id ?? '')
    return software?.isOffline ?? false
  }

  command(serverId: string, text: string): void {
    this.find(serverId).command(text)
  }

  say(serverId: string, ...parts: readonly RefusalText[]): void {
    this.#servers.get(serverId)?.console.say(parts)
  }

  onOutput(serverId: string, listener: (lines: readonly string[]) => void): Stop {
    return this.find(serverId).output.on(listener)
  }

  runs(serverId: string): ServerSpec | null {
    return this.#servers.get(serverId)?.runs ?? null
  }

  onPlayerNews(listener: (serverId: string, news: PlayerNews) => void): Stop {
    return this.#playerNews.on(({ serverId, news }) => listener(serverId, news))
  }

  onStatus(listener: (serverId: string, status: RuntimeStatusInput) => void): Stop {
    return this.#statusNews.on(({ serverId, status }) => listener(serverId, status))
  }

  onStats(listener: (serverId: string, sample: UseSample) => void): Stop {
    return this.#useNews.on(({ serverId, sample }) => listener(serverId, sample))
  }

  beforeStart(act: StartPreparation): Stop {
    return this.#beforeStart.on(act)
  }

  beforePort(act: StartPreparation): Stop {
    return this.#beforeStart.onPort(act)
  }

  keepAwake(serverId: string, why: string): Stop {
    return this.#keptAwake.hold(serverId, why)
  }

  busy(serverId: string): readonly string[] {
    const jobs = this.#servers.get(serverId)?.jobs.now.values() ?? []
    return [...this.#keptAwake.reasons(serverId), ...[...jobs].map(({ kind }) => kind)]
  }

  servers(): Iterable<ManagedServer> {
    return this.#servers.values()
  }

  startOnlyWhere(check: StartCheck): Stop {
    return this.#beforeStart.onlyWhere(check)
  }

  crash(serverId: string): KeptCrash | null {
    return this.find(serverId).crashes.crash
  }

  startMarked(also: ReadonlySet<string> = new Set()): void {
    void this.#driver.clear((id) => this.#servers.has(id))
    for (const one of this.#servers.values())
      if (one.spec.autoStart || also.has(one.spec.id)) void this.#startMarked(one).catch(() => undefined)
  }

  /** The console has the reason if this fails. */
  async #startMarked(server: ManagedServer): Promise<void> {
    await server.recovered
    const isAsleep = server.status().status === 'sleeping'
    if (!this.#closing.signal.aborted && server.isDown && !isAsleep) await server.power('start')
  }

  copied(fromId: string, toId: string): void {
    this.#software.get(this.find(toId).spec.software.id)?.installation?.copied(fromId, toId)
  }

  startApart(spec: ServerSpec, given: ApartLimits): Promise<ApartResult> {
    const { software, stop: limits = patient, answer } = this.#options
    const own = software.find(({ id }) => id === spec.software.id)
    const signal = AbortSignal.any([given.signal, this.#closing.signal])
    return startApart(spec, own, this.#driver, { ...given, signal }, { limits, answer })
  }

  usesJava(softwareId: string): boolean {
    return this.#software.get(softwareId)?.usesJava ?? false
  }

  stops(serverId: string, command: string): boolean {
    const software = this.#software.get(this.#servers.get(serverId)?.spec.software.id ?? '')
    return software?.stopCommand === command
  }

  diskBytes(serverId: string): number | null {
    return this.#servers.get(serverId)?.stats.newest?.diskBytes ?? null
  }

  tellJob(serverId: string, job: FileJobInput): void {
    this.#servers.get(serverId)?.jobs.tell(job)
  }

  openStream(watched: StreamSubscription[], reader: Reader): EventStream {
    return this.#streams.open(watched, reader)
  }

  tellChanged(serverId: string, reads: readonly string[], by: string): void {
    this.#streams.tellChanged(serverId, reads, by)
  }

  standingChanged(serverId: string, accountId: string, reads: readonly string[]): void {
    this.#streams.standingChanged(serverId, accountId, reads)
  }

  recheckStreams(accountId: string): void {
    this.#streams.recheck(accountId)
  }

  async close(hurry = false): Promise<void> {
    clearInterval(this.#sampling)
    this.#closing.abort()
    const limits = hurry ? hurried : (this.#options.stop ?? patient)
    const servers = () => [...this.#servers.values()]
    await Promise.all(servers().map((server) => server.shutDown(limits)))
    await Promise.all([...this.#driver.survivors.values()].map(goneOf))
    await this.#driver.close()
    this.#streams.end()
    // Once, even if close is called again. Servers stay registered: running work still needs them.
    await (this.#consolesClosed ??= Promise.all(servers().map((server) => server.console.close())))
  }

  #sample(): void {
    const { log } = this.#options
    const failed = (error: unknown) => log.warn({ err: error }, 'statistics could not be read')
    for (const server of this.#servers.values()) void server.stats.sample().catch(failed)
  }

  find(serverId: string): ManagedServer {
    const server = this.#servers.get(serverId)
    if (!server) throw refusal(404, 'server.not-found.deleted')
    return server
  }

  #runsOnPort(port: number, exceptId: string): string | null {
    const holds = (one: ManagedServer) => holdsPort(one.status()) && (one.runs ?? one.spec).port === port
    const others = [...this.#servers.values()].filter(({ spec }) => spec.id !== exceptId)
    return others.find(holds)?.spec.name ?? null
  }
}
