import type { Software } from '../software/software.ts'
import type { AnswerTuning } from './awaited-answer.ts'
import type { ConsoleLog } from './console/console-log.ts'
import type { CrashRecords } from './crashes/crash-records.ts'
import type { Driver, RunningProgram, StopLimits } from './programs/driver.ts'
import type { InstallRun } from './install-run.ts'
import type { SleepMarks } from './sleep-mark.ts'
import type { RuntimeStatusInput } from './types.ts'
import type { Say } from '../software/software.ts'

export type Phase =
  | { kind: 'offline' | 'sleeping' }
  | { kind: 'crashed'; exitCode: number | null }
  | { kind: 'installing'; run: InstallRun }
  /** `program` is null while the port is checked and the program is being started. */
  | { kind: 'starting' | 'online' | 'stopping'; program: RunningProgram | null }

/** A sleeping server does: we listen for it. */
export const holdsPort = ({ status }: { status: unknown }): boolean =>
  status !== 'offline' && status !== 'crashed'

export const statusOf = (phase: Phase): Pick<RuntimeStatusInput, 'status' | 'exitCode' | 'installation'> => ({
  status: phase.kind,
  ...(phase.kind === 'crashed' ? { exitCode: phase.exitCode } : {}),
  ...(phase.kind === 'installing' ? { installation: phase.run.progress } : {}),
})

export interface ServerPorts {
  driver: Driver
  console: ConsoleLog
  crashes: CrashRecords
  softwareOf(id: string): Software | null
  limits: StopLimits
  answer: AnswerTuning | undefined
  sleepers: SleepMarks
  /** Throws a Refusal. */
  requireMayStart(say: Say): void
  /** Resolves once we no longer listen on its port ourselves. */
  freePort(): Promise<void>
  failed: (error: unknown) => void
  runsOnPort(port: number, exceptId: string): string | null
}
