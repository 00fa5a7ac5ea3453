import type { ProgramSpec } from '../runtime/processes/driver.ts'
import type { InstallStep } from '../../contract/areas/values/server-work.ts'
import type { CatalogueEntry, ServerSpec, VersionEntry } from '../runtime/types.ts'
import type { Build } from './catalogue.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'

export interface InstallPorts {
  /** Aborts on cancel or shutdown. */
  signal: AbortSignal
  /** Bytes; `total` null: unknown. */
  progress: (step: InstallStep, done: number, total: number | null) => void
  /** To the server's console. */
  say: (sentence: string) => void
}

export interface Foresight {
  /** Null if the software has none. */
  build: string | null
  java: {
    major: number
    isMissing: boolean
  }
  /** Null if unknown. */
  bytes: number | null
}

export interface Installation {
  /** Everything is there. */
  isDone(spec: ServerSpec): boolean
  /** It can start; the software downloads what is missing. */
  isStartable(spec: ServerSpec): boolean
  /** Rejects with a sentence, leaving everything unchanged. */
  run(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /**
   * Prepares a change to this software without touching the server. The caller promotes the next record, then calls
   * `place`. Rejects with a sentence, leaving nothing behind.
   */
  prepare(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /** Rejects if the catalog is unavailable. */
  foresee(spec: ServerSpec, signal: AbortSignal): Promise<Foresight>
  /** Finishes a promoted installation. If it throws, `run` retries. */
  place(serverId: string): void
  copied(fromId: string, toId: string): void
  forget(serverId: string): void
}

/** One file per kind. */
export interface Software extends CatalogueEntry {
  /** Newest first. Rejects with Refusal. */
  versions(signal: AbortSignal): Promise<VersionEntry[]>
  /** Newest first. Rejects with Refusal. */
  builds?: (version: string, signal: AbortSignal) => Promise<(Build & { isHere?: boolean })[]>
  /** Absent: nothing to install. */
  installation?: Installation
  /** Prepares the folder if needed. Rejects with a sentence. */
  program(spec: ServerSpec): Promise<ProgramSpec>
  stopCommand: string
  readSign(line: string): Sign | null
  /** Offline uuids, unless the server's settings say otherwise. */
  isOffline?: true
  /** Supports starting without datapacks. */
  startsSafely?: true
  usesJava?: true
  maxPlayers: number
}
