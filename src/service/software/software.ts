import type { ProgramSpec } from '../runtime/driver.ts'
import type { InstallStep } from '../../contract/areas/servers.ts'
import type { CatalogueEntry, ServerSpec, VersionEntry } from '../runtime/types.ts'
import type { Sign } from '../worlds/log-lines.ts'

/** How far an installation is, and how it is told. */
export interface InstallPorts {
  /** Aborts where somebody cancels it, or the service closes. */
  signal: AbortSignal
  /** Bytes; `total` is null where nobody knows it. */
  progress: (step: InstallStep, done: number, total: number | null) => void
  /** Says something in the server's console. */
  say: (sentence: string) => void
}

/** What has to be fetched before a server can be started. */
export interface Installation {
  /** Whether everything is there that this version of a server needs. */
  isDone(spec: ServerSpec): boolean
  /** Fetches what is missing. Rejects with a sentence; then everything is as it was before. */
  run(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /** A server was copied from another one, with all its files. */
  copied(fromId: string, toId: string): void
  /** A server is gone for good: what belongs to it alone goes too. */
  forget(serverId: string): Promise<void>
}

/** A kind of server software: what to run and how to read it. One file per kind. */
export interface Software extends CatalogueEntry {
  /** Versions people can choose, the newest first. Rejects with Refusal where they cannot be had now. */
  versions(signal: AbortSignal): Promise<VersionEntry[]>
  /** Absent: it can be run as it is. */
  installation?: Installation
  /** What starts the server. Prepares its folder where needed; rejects with a sentence where it cannot be run. */
  program(spec: ServerSpec): Promise<ProgramSpec>
  /** The console command that stops it in an orderly way. */
  stopCommand: string
  /** What a line of its output means. */
  readSign(line: string): Sign | null
  /** Nobody is asked who a player is, so that uuids follow from names; unless the server's own settings say so. */
  isOffline?: true
  /** It runs on Java, which can be chosen. */
  usesJava?: true
  /** How many players it lets in. */
  maxPlayers: number
}
