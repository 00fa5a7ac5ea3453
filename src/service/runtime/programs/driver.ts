import type { Stop } from '../../base/change.ts'
import type { Refusal } from '../../../host/refusal.ts'
import type { Say } from '../../software/software.ts'
import type { ServerSpec } from '../types.ts'

export interface ProgramSpec {
  /** Run without a shell. */
  file: string
  args: string[]
  cwd: string
  env: Record<string, string>
  /** Files and folders outside of `cwd` that it reads, such as its Java. Nothing else is there in a container. */
  reads?: readonly string[]
  /** Without a network but its own loopback. */
  isCutOff?: boolean
  /** Of a proxy: addresses of its servers, which have to lead there in a container, too. */
  reaches?: readonly string[]
}

interface Provenance {
  /** When they were written, in Unix ms; default: now. */
  at?: number
  /** They were taken before, by an earlier service. */
  isKept?: boolean
  /** Written before anybody listened: no news. */
  isPast?: boolean
}

/** A returned promise is backpressure. */
export type LineConsumer = (
  lines: string[],
  from: 'output' | 'error',
  of?: Provenance,
) => Promise<void> | void

/** 128 + n for signal n, as in shells. */
export interface ProcessExit {
  exitCode: number
  signal: string | null
  /** It used more memory than its container has. */
  isOverMemory?: boolean
  /** It ended while no service was there. */
  isAway?: boolean
  /** Nobody knows whether it has ended: its node is gone. */
  isAbandoned?: boolean
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
  networkRxBytes?: number
  networkTxBytes?: number
}

/** Where a program runs, if there are several computers. */
export interface ProgramPlace {
  /** Name of the node. */
  node: string
  /** Where players reach it. */
  address: string
  /** The engine has lost it. Whether the program still runs there, nobody knows. */
  isGone: boolean
  /** Unix ms, if it is known. */
  goneSince: number | null
}

/** The port between the runtime and whatever runs programs. */
export interface RunningProgram {
  /** By `performance.now`. */
  readonly startedAt: number
  /** Returns false if the program doesn't read its input. */
  write(command: string): boolean
  /** Why it never does. */
  readonly noInput?: Refusal | null
  /** Command, TERM, KILL, each after its limit. `told` explains further steps. Call again to hurry: TERM now. */
  stop(command: string | null, limits: StopLimits, told: Say): void
  kill(): void
  usage(): Promise<Usage | null>
  /** Called once, when the whole tree is gone and all output delivered. */
  onExit(listener: (ending: ProcessExit) => void): Stop
  /** Changes how many cores it may use while it runs; null: all. Rejects if the engine refuses it. */
  useCores?(cpus: number | null): Promise<void>
  /** Of one that is resumed: resolves once it is known whether it still runs. */
  readonly known?: Promise<void>
  /** Lets go of a program that goes on without the service. Absent: it ends with the service. */
  leave?(): Promise<void>
  /** Absent where there is one computer. */
  readonly place?: ProgramPlace | null
  onPlace?(listener: () => void): Stop
  /**
   * Takes it for ended, so that it may be started elsewhere. Rejects with 409 `node.not-gone`, or `server.maybe-running`
   * while something still renews its mark in the server's folder.
   */
  abandon?(): Promise<void>
}

/** The last line of a program's output that was kept: when it was written, and how many were in that ms. */
export interface LastOutput {
  at: number
  count: number
}

/** Of an earlier service, or of others. */
export interface SurvivingProgram {
  kind: 'running'
  resume: (take: LineConsumer, last: Promise<LastOutput | null>) => RunningProgram
  /** It is begun and ended by others too. */
  isFollowed?: boolean
  /** It has ended meanwhile; what it wrote last is to be read. */
  isOver?: boolean
  /** It may still be starting. */
  isFresh?: boolean
}

/** A program that was not started here: being stopped, or one that goes on. */
export type Survivor = { kind: 'ending'; gone: Promise<void> } | SurvivingProgram

/** For programs of an earlier service. Until it is done, nobody knows whether they run on. */
export interface SurvivorSearch {
  /** Why it isn't done. */
  readonly missing: Refusal | null
  readonly done: Promise<void>
  /** Looks now. Never rejects. */
  look(): Promise<void>
}

/** Resolves once it has ended; at once if it isn't being stopped. */
export const goneOf = async (survivor: Survivor | undefined): Promise<void> =>
  survivor?.kind === 'ending' ? survivor.gone : undefined

/** A computer that runs programs. */
export interface Node {
  id: string
  name: string
  isReady: boolean
  /** Since when it isn't, in Unix ms, if it is known. */
  goneSince: number | null
  /** It takes no further programs. */
  isDraining: boolean
  cpus: number
  memoryBytes: number
  /** Of the limits of what runs there. */
  takenCpus: number
  takenMemoryBytes: number
  /** Servers of this service whose programs run there. */
  serverIds: readonly string[]
}

/** Everything rejects with a sentence. */
export interface Nodes {
  list(): Promise<Node[]>
  names(): Promise<string[]>
  /** Programs that run there go on. */
  drain(nodeId: string, isDraining: boolean): Promise<void>
}

export interface Driver {
  /** Absent where there is one computer. */
  readonly nodes?: Nodes
  /** Rejects with a sentence. */
  start(spec: ServerSpec, program: ProgramSpec, take: LineConsumer, say: Say): Promise<RunningProgram>
  /** By server. Those that are gone, or were resumed, are no longer in it. */
  readonly survivors: ReadonlyMap<string, Survivor>
  /** Of a server that may have one. Absent or null: they were known from the beginning. */
  search?(spec: ServerSpec): SurvivorSearch | null
  /** The server as its program has to see it: in a container, an address of this computer can't be listened on. */
  within(spec: ServerSpec): ServerSpec
  /** The program without a network but its own loopback. Null where that can't be had. */
  cutOff(program: ProgramSpec, spec: ServerSpec): Promise<ProgramSpec | null>
}
