import type { Stop } from '../../base/change.ts'

/** What to run. */
export interface ProgramSpec {
  /** The executable, and its arguments one by one: no shell ever reads them. */
  file: string
  args: string[]
  cwd: string
  /** Added to a small set of the service's own environment. */
  env: Record<string, string>
}

/** Where a program's output goes. A returned promise asks for patience: no more is read until it resolves. */
export type TakeLines = (lines: string[], from: 'output' | 'error') => Promise<void> | void

/** How a program ended. 128 + n where signal n ended it, as shells count. */
export interface Ending {
  exitCode: number
  signal: string | null
}

/** How long to wait for what, in milliseconds. */
export interface StopLimits {
  /** After the stop command, before the program is asked by TERM. */
  commandMs: number
  /** After TERM, before the whole tree is ended by KILL. */
  termMs: number
}

/** What a running program uses. */
export interface Usage {
  /** 100 is one core. */
  cpuPercent: number
  /** Resident bytes of the whole process tree. */
  memoryBytes: number
}

/** A program that was started: the port between the runtime and whatever runs programs. */
export interface RunningProgram {
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Writes one line to its input. False where it has stopped reading, or closed its input. */
  write(command: string): boolean
  /**
   * Stops it: the command, then TERM, then KILL, each after its limit. `told` says in a sentence what had to be done
   * beyond the command. Called again while it stops, the patience is over: TERM now, and KILL after its limit.
   */
  stop(command: string | null, limits: StopLimits, told: (sentence: string) => void): void
  /** Ends the whole process tree at once. */
  kill(): void
  usage(): Promise<Usage | null>
  /** Calls back once, when the program and everything it started are gone and all of its output was handed on. */
  onExit(listener: (ending: Ending) => void): Stop
}

/** Starts programs. */
export interface Driver {
  /** Rejects with a sentence where the program cannot be started. */
  start(serverId: string, spec: ProgramSpec, take: TakeLines): Promise<RunningProgram>
  /** Servers whose program of an earlier service is still being stopped. */
  readonly survivors: ReadonlyMap<string, Promise<void>>
}
