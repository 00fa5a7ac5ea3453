import type { Software } from '../software/software.ts'
import type { AnswerTuning } from './awaited-answer.ts'
import type { ConsoleLog } from './console/console-log.ts'
import type { CrashRecords } from './crashes/crash-records.ts'
import type { Driver, RunningProgram, StopLimits } from './processes/driver.ts'
import type { InstallRun } from './install-run.ts'
import type { RuntimeStatusIn } from './types.ts'

/** What a server is at, with what that has. */
export type Phase =
  | { kind: 'offline' }
  | { kind: 'crashed'; exitCode: number | null }
  /** What it needs is being fetched. */
  | { kind: 'installing'; run: InstallRun }
  /** No program yet while the port is tried and the program is being started. */
  | { kind: 'starting' | 'online' | 'stopping'; program: RunningProgram | null }

/** What of a phase a status tells. */
export const statusOf = (phase: Phase): Pick<RuntimeStatusIn, 'status' | 'exitCode' | 'installation'> => ({
  status: phase.kind,
  ...(phase.kind === 'crashed' ? { exitCode: phase.exitCode } : {}),
  ...(phase.kind === 'installing' ? { installation: phase.run.progress } : {}),
})

/** What a server needs of the runtime. */
export interface ServerPorts {
  driver: Driver
  console: ConsoleLog
  crashes: CrashRecords
  /** Null where this software is not offered (any more). */
  softwareOf(id: string): Software | null
  limits: StopLimits
  answer: AnswerTuning | undefined
  /** Throws a Refusal where the server may not be started now. */
  requireMayStart(say: (sentence: string) => void): void
  /** The name of another server of this service that runs on this port. */
  runsOnPort(port: number, exceptId: string): string | null
}
