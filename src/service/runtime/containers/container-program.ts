import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { Listeners, type Stop } from '../../base/change.ts'
import type { Say } from '../../software/software.ts'
import type {
  LastOutput,
  LineConsumer,
  ProcessExit,
  RunningProgram,
  StopLimits,
  Usage,
} from '../programs/driver.ts'
import { StopSteps } from '../programs/stop-steps.ts'
import { ContainerInput } from './container-input.ts'
import { type Engine, EngineFault } from './engine.ts'
import { LogFrames, type LoggedLines } from './log-frames.ts'
import { LogText } from './log-text.ts'

export const ContainerState = z.object({
  Id: z.string(),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }).nullish(),
  State: z.object({
    Running: z.boolean(),
    Status: z.string().default(''),
    ExitCode: z.number().default(0),
    OOMKilled: z.boolean().default(false),
    StartedAt: z.string().default(''),
  }),
})
type ContainerState = z.output<typeof ContainerState>
export type EndState = ContainerState['State']

export interface ContainerOrigin {
  id: string
  /** By the clock, in Unix ms. */
  startedAt: number
  /** What was kept of its output. Absent: it was started now. */
  resumed?: Promise<LastOutput | null>
  /** In the engine's log, in seconds: what is before it is of earlier programs. */
  from?: string
  /** The newest that was taken of an earlier program in the same log. */
  last?: LastOutput
  isTerminal?: boolean
  /** It can't be told anything. */
  isDeaf?: boolean
}

/** While the engine is away, in ms. */
const AGAIN_MS = [200, 500, 1_000, 2_000, 5_000]
/** How long its log may go on after its end, in ms. */
const LOG_MS = 5_000
/** Of what the engine says of an end. */
/** How long statistics are good for, in ms: an engine's cost more than the system's. */
const USAGE_MS = 3_000
const GONE = 404
const NOT_RUNNING = 409

/**
 * A program in a container. Its lines are read from the engine's log, whose times tell where to go on after a break of
 * the service or of the engine, so that none is lost or comes twice.
 */
export class ContainerProgram implements RunningProgram {
  readonly startedAt: number
  readonly #engine: Engine
  readonly #id: string
  readonly #origin: Omit<ContainerOrigin, 'id' | 'resumed'>
  readonly #take: LineConsumer
  readonly #exits = new Listeners<ProcessExit>()
  readonly #steps: StopSteps
  readonly #left = new AbortController()
  readonly #known = Promise.withResolvers<void>()
  readonly #done: Promise<void>
  readonly #input: ContainerInput
  /** Its engine answers. */
  #isFollowed = false
  #ending: ProcessExit | null = null
  /** Its exit code as its end was told: its state has none once it was started again, and with Podman at first. */
  #told = 0
  /** Lines from before it are known. */
  #last: LastOutput | null = null
  #isResumed = false
  #usage: Promise<Usage | null> = Promise.resolve(null)
  #nextUsage = 0
  #cpu: { used: number; system: number } | null = null

  constructor(engine: Engine, { id, resumed, ...origin }: ContainerOrigin, take: LineConsumer) {
    this.#engine = engine
    this.#id = id
    this.#origin = origin
    this.#take = take
    this.#input = new ContainerInput((signal) => engine.attach(id, signal))
    this.startedAt = performance.now() - Math.max(0, Date.now() - origin.startedAt)
    const ended = new Promise<void>((resolve) => this.onExit(() => resolve()))
    this.#steps = new StopSteps({
      write: (command) => this.write(command),
      // If this fails, the next step comes after its limit.
      askToEnd: () => void this.#signal('SIGTERM').catch(() => undefined),
      kill: () => this.kill(),
      exited: ended,
    })
    this.#done = this.#run(resumed ?? null)
  }

  /** Of its output that was taken. */
  get last(): LastOutput | null {
    return this.#last
  }

  get known(): Promise<void> {
    return this.#known.promise
  }

  write(command: string): boolean {
    return !this.#origin.isDeaf && this.#isFollowed && this.#input.write(`${command}\n`)
  }

  stop(command: string | null, limits: StopLimits, told: Say): void {
    this.#steps.stop(command, limits, told)
  }

  kill(): void {
    const isFirst = !this.#steps.hurry.aborted
    this.#steps.kill()
    if (isFirst) void this.repeat(() => this.#signal('SIGKILL'))
  }

  onExit(listener: (ending: ProcessExit) => void): Stop {
    if (!this.#ending) return this.#exits.on(listener)
    const ending = this.#ending
    queueMicrotask(() => listener(ending))
    return () => undefined
  }

  async useCores(cpus: number | null): Promise<void> {
    // An engine takes no limit away, but all cores are as good.
    const most = cpus ?? (await this.#engine.info()).NCPU
    await this.#engine.post(`/containers/${this.#id}/update`, {}, { NanoCpus: Math.round(most * 1e9) })
  }

  async leave(): Promise<void> {
    this.#left.abort()
    await this.#done
  }

  usage(): Promise<Usage | null> {
    if (performance.now() < this.#nextUsage) return this.#usage
    // A slow engine isn't asked again before it has answered.
    this.#nextUsage = Infinity
    const asked = () => (this.#nextUsage = performance.now() + USAGE_MS)
    return (this.#usage = this.#newUsage().finally(asked))
  }

  async #newUsage(): Promise<Usage | null> {
    if (this.#ending || this.#left.signal.aborted) return null
    const path = `/containers/${this.#id}/stats`
    const query = { stream: false, 'one-shot': true }
    // While the engine is away nothing is known, which is no error each time.
    const stats = await this.#engine.get(path, Stats, query).catch(() => null)
    if (!stats) return null
    const { cpu_stats: cpu, memory_stats: memory, networks } = stats
    if (cpu.system_cpu_usage === undefined || memory.usage === undefined) return null
    const now = { used: cpu.cpu_usage.total_usage, system: cpu.system_cpu_usage }
    const before = this.#cpu
    this.#cpu = now
    const share =
      before && now.system > before.system ? (now.used - before.used) / (now.system - before.system) : 0
    const files = memory.stats?.['total_inactive_file'] ?? memory.stats?.['inactive_file'] ?? 0
    const all = Object.values(networks ?? {})
    return {
      cpuPercent: Math.max(0, share * (cpu.online_cpus || 1) * 100),
      memoryBytes: Math.max(0, memory.usage - files),
      ...(all.length > 0 && {
        networkRxBytes: all.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
        networkTxBytes: all.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0),
      }),
    }
  }

  /** Until it has ended, or is left. The engine may be away meanwhile. */
  async #run(resumed: Promise<LastOutput | null> | null): Promise<void> {
    this.#isResumed = resumed !== null
    this.#last = (await resumed) ?? this.#origin.last ?? null
    let [failures, isAway] = [0, resumed !== null]
    while (!this.#left.signal.aborted)
      try {
        await this.#engine.ends.ready()
        const ended = this.#engine.ends.of(this.#id).then((exitCode) => void (this.#told = exitCode))
        const state = await this.#engine.get(`/containers/${this.#id}/json`, ContainerState)
        failures = 0
        if (this.isOver(state.State)) return await this.#finish(state, isAway)
        isAway = false
        this.#known.resolve()
        await this.#follow(ended)
        await wait(AGAIN_MS[0], undefined, { ref: false, signal: this.#left.signal })
      } catch (error) {
        if (error instanceof EngineFault && error.status === GONE)
          return this.#end(this.endingOf(null, isAway))
        const pause = AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)]
        await wait(pause, undefined, { ref: false, signal: this.#left.signal }).catch(() => undefined)
      } finally {
        this.#engine.ends.forget(this.#id)
      }
  }

  /** Resolves once it has ended or the engine is gone. */
  async #follow(ended: Promise<void>): Promise<void> {
    const over = new AbortController()
    const read = this.#read(true, AbortSignal.any([over.signal, this.#left.signal]))
    this.#isFollowed = true
    try {
      await Promise.race([ended, read])
      // The rest of its log.
      await Promise.race([Promise.all([read, ended]), wait(LOG_MS, undefined, { ref: false })])
    } finally {
      over.abort()
      this.#isFollowed = false
      this.#input.close()
      // What it still takes would come again with the next reading.
      await read.catch(() => undefined)
    }
  }

  async #read(follow: boolean, signal: AbortSignal): Promise<void> {
    const last = this.#last
    const { from: begin = '0', isTerminal } = this.#origin
    const isKnown = last && (!this.#isResumed || last.at / 1000 < Number(begin))
    const since = isKnown ? `${Math.floor(last.at / 1000)}.${String(last.at % 1000).padStart(3, '0')}` : begin
    const query = { stdout: true, stderr: true, timestamps: true, follow, since }
    const log = await this.#engine.stream(`/containers/${this.#id}/logs`, query, signal)
    const frames = isTerminal ? new LogText() : new LogFrames()
    /** Lines of the last ms that come again. */
    let again = last?.count ?? 0
    for await (const chunk of log as AsyncIterable<Buffer>)
      for (const { lines, from, at } of frames.push(chunk)) {
        // Once the last known line has passed, everything is new, whatever the engine's clock does.
        const isBefore = last !== null && again > 0 && at < last.at
        const known = isBefore ? lines.length : last?.at === at ? Math.min(again, lines.length) : 0
        again = isBefore ? again : again - known
        if (!isBefore && known === 0) again = 0
        if (known > 0 && this.#isResumed) await this.#take(lines.slice(0, known), from, { at, isKept: true })
        await this.#took({ lines: lines.slice(known), from, at })
      }
    if (follow) return
    const at = this.#last?.at ?? Date.now()
    for (const logged of frames.flush(at)) await this.#took(logged)
  }

  async #took({ lines, from, at }: LoggedLines): Promise<void> {
    if (lines.length === 0) return
    this.#isResumed = false
    const last = this.#last
    this.#last = { at, count: (last?.at === at ? last.count : 0) + lines.length }
    await this.#take(lines, from, { at })
  }

  async #finish({ State }: ContainerState, isAway: boolean): Promise<void> {
    await this.#read(false, this.#left.signal)
    this.#end(this.endingOf(State, isAway))
  }

  protected isOver(state: EndState): boolean {
    return !state.Running
  }

  /** `state` null: it is gone. `isAway`: it had ended when it was first looked at. */
  protected endingOf(state: EndState | null, isAway: boolean): ProcessExit {
    if (!state) return { exitCode: 0, signal: null }
    const exitCode = state.ExitCode || this.#told
    return { exitCode, signal: null, isOverMemory: state.OOMKilled, isAway }
  }

  /** Takes it for ended, whatever its engine would say. */
  protected giveUp(): void {
    this.#left.abort()
    this.#end({ exitCode: 0, signal: null, isAbandoned: true })
  }

  /** That it runs is taken as known. */
  protected know(): void {
    this.#known.resolve()
  }

  #end(ending: ProcessExit): void {
    if (this.#ending) return
    this.#ending = ending
    this.#exits.tell(ending)
    this.#known.resolve()
  }

  /** Asks until it is done: the engine may be away, or too slow to answer. Never rejects. */
  protected async repeat(ask: (left: AbortSignal) => Promise<void>): Promise<void> {
    for (let tries = 0; !this.#ending && !this.#left.signal.aborted; tries++)
      try {
        return await ask(this.#left.signal)
      } catch (error) {
        if (error instanceof EngineFault && (error.status === GONE || error.status === NOT_RUNNING)) return
        const pause = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]
        await wait(pause, undefined, { ref: false, signal: this.#left.signal }).catch(() => undefined)
      }
  }

  async #signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#engine.post(`/containers/${this.#id}/kill`, { signal })
  }
}

const Stats = z.object({
  cpu_stats: z.object({
    cpu_usage: z.object({ total_usage: z.number() }),
    system_cpu_usage: z.number().optional(),
    online_cpus: z.number().optional(),
  }),
  memory_stats: z.object({
    usage: z.number().optional(),
    stats: z.record(z.string(), z.number()).optional(),
  }),
  networks: z.record(z.string(), z.object({ rx_bytes: z.number(), tx_bytes: z.number() })).optional(),
})
