import type { PartId } from '../../contract/messages/refusals/index.ts'
import type { z } from 'zod'
import type { Logger } from 'pino'
import type { FileJob } from '../../contract/areas/values/file-values.ts'
import type { RuntimeStatus } from '../../contract/areas/servers.ts'
import type { SoftwareVersion } from '../../contract/areas/software.ts'
import type { MayStart, PrepareStart } from './before-start.ts'
import type { Stop } from '../base/change.ts'
import type { DimensionLayout } from '../software/java-kinds.ts'
import type { Software } from '../software/software.ts'
import type { EventStream, Reader, Watched } from './event-stream.ts'
import type { KeptCrash } from './crashes/crash-records.ts'
import type { Work, WorkWords } from './install-run.ts'
import type { ManagedServer } from './managed-server.ts'
import type { PlayerNews, Players } from './online-players.ts'

/** What the runtime has to know of a server in order to run it. */
export interface ServerSpec {
  id: string
  name: string
  /** The server's own folder; its program runs in it. */
  folder: string
  /** `build`: this one and no other; else the newest stable one. */
  software: { id: string; version: string; build?: string | null }
  memoryMb: number
  port: number
  /** The address game clients connect to. */
  host: string
  /** Its owner has accepted the license of its software. */
  licenseAccepted?: boolean
  /** How Java runs it; the usual way unless it is said. */
  java?: JavaWish
  /** Started together with the service. */
  autoStart?: boolean
  /** Started again after a crash. */
  autoRestart?: boolean
  /** This start alone leaves datapacks out. */
  safely?: boolean
}

/** How one start differs from all others. */
export type StartHow = Pick<ServerSpec, 'safely'>

/** How an owner wants Java to run a server. */
export interface JavaWish {
  /** A major version; null: the one that its version asks for. */
  major: number | null
  set: 'default' | 'aikar' | 'zgc'
  /** Arguments of one's own. */
  own: readonly string[]
}

/** What a read of the runtime status answers, before parsing. */
export type RuntimeStatusIn = z.input<typeof RuntimeStatus>

/** A file job before parsing. */
export type FileJobIn = z.input<typeof FileJob>

/** A version of a software. */
export type VersionEntry = z.input<typeof SoftwareVersion>

/** Software that can be run here. */
export interface CatalogueEntry {
  id: string
  name: string
  description: string
  /** What whoever runs it has to accept first. */
  license?: { name: string; url: string }
  /** It leads players to other servers, and has no world. */
  isProxy?: true
  /** Where it keeps the Nether and the End; absent where nobody knows. */
  dimensions?: DimensionLayout
  /** People bring it with their server: nobody chooses it from a list. */
  isBrought?: true
}

/** Runs the game servers of this service: their processes, consoles and live state. */
export interface Runtime {
  catalogue(): CatalogueEntry[]
  /** Versions of a software, the newest first. Throws Refusal 404 `software.not-found`, and 503 where nobody can say now. */
  versions(softwareId: string): Promise<VersionEntry[]>
  /** Begins to fetch what a server needs before it can be started; does nothing where all of it is there. */
  install(serverId: string): void
  /** Registers a server so that it has a console and a status; at start for all rows, and on create. */
  add(spec: ServerSpec): void
  update(spec: ServerSpec): void
  /** Whether nothing of a server runs. */
  isDown(serverId: string): boolean
  /**
   * Throws Refusal 409 `server.running` or `server.installing` while the server is not offline or crashed. `then`: what
   * could be done otherwise; default: `delete it`.
   */
  requireDown(serverId: string, then?: PartId): void
  /**
   * Works on a server that is down, told by its status and its console; Stop cancels it. Answers whether it is done, and
   * nobody wanted it canceled. Throws Refusal 404, and 409 where it is not down; otherwise it has begun when this returns.
   */
  work(serverId: string, words: WorkWords, work: Work): Promise<boolean>
  /** What can be run here, by id; null where it is not offered. */
  software(softwareId: string): Software | null
  /** Forgets a server whose program does not run, at once; the promise is about the files of its console. */
  forget(serverId: string): Promise<void>
  /** Throws Refusal 404 where there is no such server. */
  find(serverId: string): ManagedServer
  /** Opens a stream of events; it ends with the runtime at the latest. */
  openStream(watched: Watched[], reader: Reader): EventStream
  /** Tells the readers of a server's events which reads are old now; not the sign-in by which that was done. */
  tellChanged(serverId: string, reads: readonly string[], by: string): void
  /**
   * What an account holds at a server is not what it was: its streams end where they tell what it may not know any more,
   * and tell which reads are old.
   */
  standingChanged(serverId: string, accountId: string, reads: readonly string[]): void
  /** A sign-in of an account has ended: its streams end. */
  recheckStreams(accountId: string): void
  /** Null where it could not be taken in. */
  status(serverId: string): RuntimeStatusIn | null
  /** Who plays on a server now; null where it could not be taken in. */
  players(serverId: string): Players | null
  /** Whether the players' uuids follow from their names whatever the server's own settings say. */
  isOffline(serverId: string): boolean
  /** Sends a console command. Throws Refusal 404, 409 `server.not-running`, 409 `server.not-reading`. */
  command(serverId: string, text: string): void
  /** Calls back with what a server's program prints. Throws Refusal 404. */
  onOutput(serverId: string, listener: (lines: readonly string[]) => void): Stop
  /** With what a server's program was started; null while none runs. */
  runs(serverId: string): ServerSpec | null
  /** Calls back with what programs say of players. */
  onPlayerNews(listener: (serverId: string, news: PlayerNews) => void): Stop
  /** Why a server crashed; null where its last run did not. Throws Refusal 404. */
  crash(serverId: string): KeptCrash | null
  /** Whether a software runs on Java. */
  usesJava(softwareId: string): boolean
  /** A server was copied from another one: what is installed for that is installed for it. */
  copied(fromId: string, toId: string): void
  /** Starts the servers that are to be started together with the service, and those with these ids. */
  startMarked(also?: ReadonlySet<string>): void
  /** Calls back when the status of a server has changed. */
  onStatus(listener: (serverId: string, status: RuntimeStatusIn) => void): Stop
  /** Does something right before the program of any server is started. */
  beforeStart(act: PrepareStart): Stop
  /** Lets servers be started only where this does not throw. */
  startOnlyWhere(check: MayStart): Stop
  /** Whether a console command ends the server's program. */
  stops(serverId: string, command: string): boolean
  /** Bytes of a running server's folder, as they were last measured; null where it does not run, or nobody knows yet. */
  diskBytes(serverId: string): number | null
  /** Tells the event streams the newest state of a file job. Does nothing for a server that is gone. */
  tellJob(serverId: string, job: FileJobIn): void
  /** Stops all servers. `hurry`: without waiting for their worlds to be saved at leisure. */
  close(hurry?: boolean): Promise<void>
}

export interface RuntimeOptions {
  dataDir: string
  /** Counts the starts of the service; first part of every line id. */
  epoch: number
  /** What can be run on this computer. */
  software: readonly Software[]
  log: Logger
}
