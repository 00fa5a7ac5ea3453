import type { Stop } from '../../base/change.ts'
import type { Say } from '../../software/software.ts'

export interface ProgramSpec {
  /** Run without a shell. */
  file: string
  args: string[]
  cwd: string
  env: Record<string, string>
}

/** A returned promise is backpressure. */
export type LineConsumer = (lines: string[], from: 'output' | 'error') => Promise<void> | void

/** 128 + n for signal n, as in shells. */
export interface ProcessExit {
  exitCode: number
  signal: string | null
}

/** In ms. */
export interface StopLimits {
  /** After the stop command, before TERM. */
  commandMs: number
  /** After TERM, before KILL. */
  termMs: number
}

export interface Usage {
  /** 100 is one core. */
  cpuPercent: number
  /** Resident, whole process tree. */
  memoryBytes: number
}

/** The port between the runtime and whatever runs programs. */
export interface RunningProgram {
  readonly pid: number
  /** Unix ms. */
  readonly startedAt: number
  /** Returns false if the program doesn't read its input. */
  write(command: string): boolean
  /** Command, TERM, KILL, each after its limit. `told` explains further steps. Call again to hurry: TERM now. */
  stop(command: string | null, limits: StopLimits, told: Say): void
  kill(): void
  usage(): Promise<Usage | null>
  /** Called once, when the whole tree is gone and all output delivered. */
  onExit(listener: (ending: ProcessExit) => void): Stop
}

export interface Driver {
  /** Rejects with a sentence. */
  start(serverId: string, spec: ProgramSpec, take: LineConsumer): Promise<RunningProgram>
  /** Programs of an earlier service still being stopped, by server. */
  readonly survivors: ReadonlyMap<string, Promise<void>>
}
