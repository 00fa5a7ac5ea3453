import type { Software } from '../software/software.ts'
import type { AnswerTuning } from './awaited-answer.ts'
import type { ConsoleLog } from './console/console-log.ts'
import type { CrashRecords } from './crashes/crash-records.ts'
import type { Driver, RunningProgram, StopLimits, SurvivorSearch } from './programs/driver.ts'
import type { InstallRun } from './install-run.ts'
import type { ServerMarks } from './server-marks.ts'
import type { RuntimeStatusInput, ServerSpec } from './types.ts'
import type { Say } from '../software/software.ts'

export type Phase =
  | { kind: 'offline' | 'sleeping' }
  | { kind: 'crashed'; exitCode: number | null }
  | { kind: 'installing'; run: InstallRun }
  /** Its engine is away since before the service was started. */
  | { kind: 'missing'; search: SurvivorSearch }
  /** `program` is null while the port is checked and the program is being started. */
  | { kind: 'starting' | 'online' | 'stopping'; program: RunningProgram | null }

/** A sleeping server does: we listen for it. */
export const holdsPort = ({ status }: { status: unknown }): boolean =>
  status !== 'offline' && status !== 'crashed'

export const restingPhase = (crash: { exitCode: number | null } | null, isAsleep: boolean): Phase =>
  crash ? { kind: 'crashed', exitCode: crash.exitCode } : { kind: isAsleep ? 'sleeping' : 'offline' }

export function statusOf(
  phase: Phase,
): Pick<RuntimeStatusInput, 'status' | 'since' | 'exitCode' | 'installation' | 'failure' | 'node'> {
  if (phase.kind === 'missing') {
    const { missing } = phase.search
    return { status: 'offline', ...(missing && { failure: { work: 'find', error: missing.asTold } }) }
  }
  return {
    status: isLost(phase) ? 'lost' : phase.kind,
    ...(phase.kind === 'crashed' ? { exitCode: phase.exitCode } : {}),
    ...(phase.kind === 'installing' ? { installation: phase.run.progress } : {}),
    ...nodeOf(phase),
  }
}

const placeOf = (phase: Phase) => ('program' in phase ? phase.program?.place : null) ?? null

const isLost = (phase: Phase): boolean => placeOf(phase)?.isGone === true

/** Players reach it at its node, where there are several. */
export function specAt(spec: ServerSpec | null, phase: Phase): ServerSpec | null {
  const place = placeOf(phase)
  return spec && place ? { ...spec, host: place.address } : spec
}

function nodeOf(phase: Phase): Pick<RuntimeStatusInput, 'node' | 'since'> {
  const place = placeOf(phase)
  if (!place) return {}
  const node = { name: place.node, isGone: place.isGone }
  if (!place.isGone) return { node }
  return { node, since: place.goneSince === null ? null : new Date(place.goneSince).toISOString() }
}

export interface ServerPorts {
  driver: Driver
  console: ConsoleLog
  crashes: CrashRecords
  softwareOf(id: string): Software | null
  limits: StopLimits
  answer: AnswerTuning | undefined
  sleepers: ServerMarks
  /** Throws a Refusal. */
  requireMayStart(say: Say): void
  /** Resolves once we no longer listen on its port ourselves. */
  freePort(): Promise<void>
  failed: (error: unknown) => void
  runsOnPort(port: number, exceptId: string): string | null
}
