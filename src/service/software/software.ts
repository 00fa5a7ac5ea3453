import type { ProgramSpec } from '../runtime/programs/driver.ts'
import type { InstallStep } from '../../contract/areas/values/server-work.ts'
import type { CatalogEntry, ServerSpec, VersionEntry } from '../runtime/types.ts'
import type { Build } from './catalog.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'
import { refusal } from '../../host/refusal.ts'

/** Writes a line of the service's own to a server's console. */
export type Say = (...parts: readonly RefusalText[]) => void

export interface InstallPorts {
  signal: AbortSignal
  /** Bytes; `total` null: unknown. */
  progress: (step: InstallStep, done: number, total: number | null) => void
  say: Say
}

export interface InstallForecast {
  build: string | null
  java: {
    major: number
    isMissing: boolean
  }
  /** Null if unknown. */
  bytes: number | null
}

export interface Installation {
  isDone(spec: ServerSpec): boolean
  /** It can start; the software downloads what is missing. */
  isStartable(spec: ServerSpec): boolean
  /** Rejects with a sentence, leaving everything unchanged. */
  run(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /** Leaves the server untouched: the caller promotes the next record, then calls `place`. Rejects with a sentence. */
  prepare(spec: ServerSpec, ports: InstallPorts): Promise<void>
  /** Rejects if the catalog is unavailable. */
  foresee(spec: ServerSpec, signal: AbortSignal): Promise<InstallForecast>
  /** Finishes a promoted installation. If it throws, `run` retries. */
  place(serverId: string): void
  copied(fromId: string, toId: string): void
  forget(serverId: string): void
}

export interface Software extends CatalogEntry {
  /** Newest first. */
  versions: (signal: AbortSignal) => Promise<VersionEntry[]>
  /** Newest first. */
  builds?: (version: string, signal: AbortSignal) => Promise<(Build & { isHere?: boolean })[]>
  installation?: Installation
  /** Prepares the folder if needed. Rejects with a sentence. */
  program(spec: ServerSpec): Promise<ProgramSpec>
  stopCommand: string
  readSign(line: string): Sign | null
  /** Offline uuids, unless the server's settings say otherwise. */
  isOffline?: true
  startsSafely?: true
  /** Understands `save-off`, `save-all flush` and `save-on`. */
  pausesSaving?: true
  usesJava?: true
  maxPlayers: number
}

/** Throws 409 `software.proxy` for proxies. */
export function requireWorld(software: Pick<Software, 'isProxy'> | null): void {
  if (!software?.isProxy) return
  throw refusal(409, 'software.proxy')
}
