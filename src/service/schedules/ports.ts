import type { Logger } from 'pino'
import type { ServerAccess } from '../base/access.ts'
import type { AgingClock } from '../base/clock.ts'
import type { Timers } from '../base/timers.ts'
import type { Runtime } from '../runtime/types.ts'
import type { RunRow, ScheduleRow, StepOutcome } from '../store/schedules.ts'
import type { Store } from '../store/store.ts'

/** What it did it to, by name; empty if there was nothing to do. Rejects with refusals. */
type Work = (serverId: string, signal: AbortSignal) => Promise<readonly string[]>

/** Both reject with refusals, also if the newest backup turns out to be damaged. */
export interface BackupSteps {
  backUp(serverId: string, signal: AbortSignal): Promise<void>
  tryNewest(serverId: string, signal: AbortSignal): Promise<void>
}

/** `update` waits for the next start of a running server; `undo` puts back what it replaced. */
export interface ExtensionUpdates {
  isOffered: (serverId: string) => boolean
  update: Work
  undo: (serverId: string) => Promise<void>
}

export interface SchedulePorts {
  store: Pick<Store, 'schedules' | 'servers' | 'accounts' | 'inOneStep'>
  access: Pick<ServerAccess, 'held' | 'isGoing'>
  runtime: Pick<Runtime, 'find' | 'status' | 'command' | 'catalog' | 'onStatus' | 'onPlayerNews'>
  clock: AgingClock
  timers: Timers
  log: Logger
  updates: ExtensionUpdates
  backups: BackupSteps
  /** Nothing begins any more. */
  isStopping: () => boolean
  told: ScheduleNews
}

/** None of it throws. */
export interface ScheduleNews {
  /** Its rules or runs are others now. */
  changed(serverId: string): void
  did(rule: ScheduleRow, at: number, outcome: StepOutcome): void
  ended(rule: ScheduleRow, run: RunRow): void
  paused(rule: ScheduleRow): void
}
