import type { ProgramSpec } from '../runtime/processes/driver.ts'
import type { InstallStep } from '../../contract/areas/values/server-work.ts'
import type { CatalogueEntry, ServerSpec, VersionEntry } from '../runtime/types.ts'
import type { Build } from './catalogue.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'

/** How far an installation is, and how it is told. */
export interface InstallPorts {
  /** Aborts where somebody cancels it, or the service closes. */
  signal: AbortSignal
  /** Bytes; `total` is null where nobody knows it. */
  progress: (step: InstallStep, done: number, total: number | null) => void
  /** Says something in the server's console. */
  say: (sentence: string) => void
}

/** What is known of an installation before it is begun. */
export interface Foresight {
  /** Null where the software has none. */
  build: string | null
  java: {
    major: number
    /** Whether it has to be downloaded. */
    isMissing: boolean
  }
  /** What is downloaded of the software itself; null where nobody knows. */
  bytes: number | null
}

/** What has to be fetched before a server can be started. */
export interface Installation {
  /** Whether everything is there that this version of a server needs. */
  isDone(spec: ServerSpec): boolean
  /** Whether it can be started: what is still missing then, the software fetches itself. */
  isStartable(spec: ServerSpec): boolean
  /** Fetches what is missing. Rejects with a sentence; then everything is as it was before. */
  run(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /**
   * Has everything ready for a server that is to be changed to this software, and touches nothing of what it has. Whoever
   * calls promotes the next record, and then places the files. Rejects with a sentence; then nothing is left of it.
   */
  prepare(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /** What it would take. Rejects where the catalog cannot be asked. */
  foresee(spec: ServerSpec, signal: AbortSignal): Promise<Foresight>
  /** Finishes what was prepared and decided. Throws; then `run` tries it again. */
  place(serverId: string): void
  /** A server was copied from another one, with all its files. */
  copied(fromId: string, toId: string): void
  /** A server is gone for good. */
  forget(serverId: string): void
}

/** A kind of server software: what to run and how to read it. One file per kind. */
export interface Software extends CatalogueEntry {
  /** Versions people can choose, the newest first. Rejects with Refusal where they cannot be had now. */
  versions(signal: AbortSignal): Promise<VersionEntry[]>
  /** Builds of a version, the newest first; absent: it has none. Rejects with Refusal where they cannot be had now. */
  builds?: (version: string, signal: AbortSignal) => Promise<(Build & { isHere?: boolean })[]>
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
  /** It can be started without datapacks. */
  startsSafely?: true
  /** It runs on Java, which can be chosen. */
  usesJava?: true
  /** How many players it lets in. */
  maxPlayers: number
}
