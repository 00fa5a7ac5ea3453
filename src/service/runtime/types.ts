import type { PartId } from '../../contract/messages/refusals/index.ts'
import type { z } from 'zod'
import type { Logger } from 'pino'
import type { FileJob } from '../../contract/areas/values/file-values.ts'
import type { RuntimeStatus } from '../../contract/areas/servers.ts'
import type { SoftwareVersion } from '../../contract/areas/software.ts'
import type { StartCheck, StartPreparation } from './before-start.ts'
import type { DriverName } from '../../contract/areas/values/container-config.ts'
import type { AdoptedServer } from './containers/adopted-driver.ts'
import type { EngineSettings } from './containers/engine.ts'
import type { ForeignContainers } from './containers/foreign-container.ts'
import type { ApartLimits, ApartResult } from './start-apart.ts'
import type { Stop } from '../base/change.ts'
import type { DimensionLayout } from '../software/java-kinds.ts'
import type { Software } from '../software/software.ts'
import type { EventStream, Reader, StreamSubscription } from './event-stream.ts'
import type { KeptCrash } from './crashes/crash-records.ts'
import type { Work, WorkWords } from './install-run.ts'
import type { ManagedServer } from './managed-server.ts'
import type { Nodes } from './programs/driver.ts'
import type { PlayerNews, Players } from './online-players.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'
import type { SleepRule } from '../store/servers.ts'
import type { UseSample } from './stats/stats-history.ts'

export interface ServerSpec {
  id: string
  name: string
  /** The account that it belongs to. */
  owner?: string
  folder: string
  /** `build`: exactly this one; default: the newest stable. */
  software: { id: string; version: string; build?: string | null }
  memoryMb: number
  port: number
  /** Game clients connect here. */
  host: string
  licenseAccepted?: boolean
  java?: JavaWish
  autoStart?: boolean
  autoRestart?: boolean
  sleep?: SleepRule | null
  safely?: boolean
  /** What runs its program. Default: a process. */
  driver?: DriverName
  /** Cores it may use; null: all. In a container only. */
  cpus?: number | null
  /** Name of the node it has to run on; null: any. */
  node?: string | null
  /** Name of the container that runs it, which others made. What is said above then says what that is like. */
  container?: string | null
}

export type StartMode = Pick<ServerSpec, 'safely'>

interface JavaWish {
  /** Null: the one the version needs. */
  major: number | null
  set: 'default' | 'aikar' | 'zgc'
  own: readonly string[]
}

export type RuntimeStatusInput = z.input<typeof RuntimeStatus>

export type FileJobInput = z.input<typeof FileJob>

export type VersionEntry = z.input<typeof SoftwareVersion>

export interface CatalogEntry {
  id: string
  name: string
  description: string
  license?: { name: string; url: string }
  /** No world; forwards players to other servers. */
  isProxy?: true
  dimensions?: DimensionLayout
  isBrought?: true
}

export interface Runtime {
  catalog(): CatalogEntry[]
  /** Newest first. Throws Refusal 404 `software.not-found`, 503. */
  versions(softwareId: string): Promise<VersionEntry[]>
  /** Starts downloading what is missing. */
  install(serverId: string): void
  add(spec: ServerSpec): void
  update(spec: ServerSpec): void
  isDown(serverId: string): boolean
  /**
   * Throws 409 `server.running`, `server.installing`, and `adopted.decides` where the container of others decides.
   * `then`: what the user wanted; default `delete it`.
   */
  requireDown(serverId: string, then?: PartId): void
  /** Has begun on return, or throws 404 or 409. Resolves to false if it failed or was canceled by Stop. */
  work(serverId: string, words: WorkWords, work: Work): Promise<boolean>
  software(softwareId: string): Software | null
  /** The server must be stopped. Takes effect immediately; the promise covers its console files. */
  forget(serverId: string): Promise<void>
  servers(): Iterable<ManagedServer>
  /** Throws Refusal 404. */
  find(serverId: string): ManagedServer
  /** Ends with the runtime at the latest. */
  openStream(watched: StreamSubscription[], reader: Reader): EventStream
  /** Reports stale reads to readers of the server's events, except to the sign-in `by`. */
  tellChanged(serverId: string, reads: readonly string[], by: string): void
  /** Permissions changed: ends streams that may no longer continue, and reports stale reads. */
  standingChanged(serverId: string, accountId: string, reads: readonly string[]): void
  /** A sign-in ended; so do its streams. */
  recheckStreams(accountId: string): void
  status(serverId: string): RuntimeStatusInput | null
  players(serverId: string): Players | null
  /** Offline uuids whatever the server's settings say. */
  isOffline(serverId: string): boolean
  /** Throws Refusal 404, 409 `server.not-running`, `server.not-reading`. */
  command(serverId: string, text: string): void
  /** Appends lines of the service's own to the console. */
  say(serverId: string, ...parts: readonly RefusalText[]): void
  /** Throws Refusal 404. */
  onOutput(serverId: string, listener: (lines: readonly string[]) => void): Stop
  /** The spec it was started with; null if not running. */
  runs(serverId: string): ServerSpec | null
  onPlayerNews(listener: (serverId: string, news: PlayerNews) => void): Stop
  /** Null if the last run didn't crash. Throws Refusal 404. */
  crash(serverId: string): KeptCrash | null
  usesJava(softwareId: string): boolean
  /** The last one is for new servers. */
  readonly drivers: readonly DriverName[]
  /** Null where there is one computer. */
  readonly nodes: Nodes | null
  /** Null without an engine. */
  readonly foreign: ForeignContainers | null
  copied(fromId: string, toId: string): void
  startMarked(also?: ReadonlySet<string>): void
  onStatus(listener: (serverId: string, status: RuntimeStatusInput) => void): Stop
  onStats(listener: (serverId: string, sample: UseSample) => void): Stop
  beforeStart(act: StartPreparation): Stop
  /** `act` lets go of the server's port. */
  beforePort(act: StartPreparation): Stop
  /** Something, such as a backup, needs it until the returned function is called: it doesn't fall asleep. */
  keepAwake(serverId: string, why: string): Stop
  /** What needs it. */
  busy(serverId: string): readonly string[]
  /** `check` throws to prevent a start. */
  startOnlyWhere(check: StartCheck): Stop
  stops(serverId: string, command: string): boolean
  /** Of a server that is not of the list. Resolves to the seconds until it was ready, or to why it never was. */
  startApart(spec: ServerSpec, limits: ApartLimits): Promise<ApartResult>
  /** Last measurement; null if not running or unknown. */
  diskBytes(serverId: string): number | null
  /** Ignores unknown servers. */
  tellJob(serverId: string, job: FileJobInput): void
  /** Aborted once the runtime closes. */
  readonly closing: AbortSignal
  /** `hurry`: don't wait long for worlds. */
  close(hurry?: boolean): Promise<void>
}

export interface RuntimeOptions {
  dataDir: string
  /** Number of starts of the service; first part of line ids. */
  epoch: number
  software: readonly Software[]
  /** Absent: no containers. */
  engine?: EngineSettings | null
  /** Servers in containers that others made. */
  adopted?: readonly AdoptedServer[]
  log: Logger
}
