import type { Duplex } from 'node:stream'
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
import { type Engine, EngineFault } from './engine.ts'
import { LogFrames, type LoggedLines } from './log-frames.ts'

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

/** Buffered input in bytes, if the program doesn't read it. */
const INPUT_MAX = 256 * 1024
/** While the engine is away, in ms. */
const AGAIN_MS = [200, 500, 1_000, 2_000, 5_000]
/** How long its log may go on after its end, in ms. */
const LOG_MS = 5_000
const GONE = 404

/**
 * A program in a container. Its lines are read from the engine's log, whose times tell where to go on after a break of
 * the service or of the engine, so that none is lost or comes twice.
 */
export class ContainerProgram implements RunningProgram {
  readonly startedAt: number
  readonly #engine: Engine
  readonly #id: string
  readonly #take: LineConsumer
  readonly #exits = new Listeners<ProcessExit>()
  readonly #steps: StopSteps
  readonly #left = new AbortController()
  readonly #known = Promise.withResolvers<void>()
  readonly #done: Promise<void>
  #input: Duplex | null = null
  #ending: ProcessExit | null = null
  /** Lines from before it are known. */
  #last: LastOutput | null = null
  #isResumed = false
  #cpu: { used: number; system: number } | null = null

  /** `resumed`: what was kept of its output. Absent: it was started now. */
  constructor(
    engine: Engine,
    { id, startedAt, resumed }: { id: string; startedAt: number; resumed?: Promise<LastOutput | null> },
    take: LineConsumer,
  ) {
    this.#engine = engine
    this.#id = id
    this.#take = take
    this.startedAt = performance.now() - Math.max(0, Date.now() - startedAt)
    const ended = new Promise<void>((resolve) => this.onExit(() => resolve()))
    this.#steps = new StopSteps({
      write: (command) => this.write(command),
      askToEnd: () => this.#signal('SIGTERM'),
      kill: () => this.kill(),
      exited: ended,
    })
    this.#done = this.#run(resumed ?? null)
  }

  get known(): Promise<void> {
    return this.#known.promise
  }

  write(command: string): boolean {
    const input = this.#input
    if (!input?.writable || input.writableLength > INPUT_MAX) return false
    input.write(`${command}\n`)
    return true
  }

  stop(command: string | null, limits: StopLimits, told: Say): void {
    this.#steps.stop(command, limits, told)
  }

  kill(): void {
    this.#steps.kill()
    this.#signal('SIGKILL')
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

  async usage(): Promise<Usage | null> {
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
    const own = networks?.['eth0']
    return {
      cpuPercent: Math.max(0, share * (cpu.online_cpus || 1) * 100),
      memoryBytes: Math.max(0, memory.usage - files),
      ...(own && { networkRxBytes: own.rx_bytes, networkTxBytes: own.tx_bytes }),
    }
  }

  /** Until it has ended, or is left. The engine may be away meanwhile. */
  async #run(resumed: Promise<LastOutput | null> | null): Promise<void> {
    this.#isResumed = resumed !== null
    this.#last = await (resumed ?? null)
    let [failures, isAway] = [0, resumed !== null]
    while (!this.#left.signal.aborted)
      try {
        const state = await this.#engine.get(`/containers/${this.#id}/json`, ContainerState)
        failures = 0
        if (!state.State.Running) return await this.#finish(state, isAway)
        isAway = false
        this.#known.resolve()
        // The engine was away when it was to be killed.
        if (this.#steps.hurry.aborted) this.#signal('SIGKILL')
        await this.#follow()
        await wait(AGAIN_MS[0], undefined, { ref: false, signal: this.#left.signal })
      } catch (error) {
        if (error instanceof EngineFault && error.status === GONE)
          return this.#end({ exitCode: 0, signal: null })
        const pause = AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)]
        await wait(pause, undefined, { ref: false, signal: this.#left.signal }).catch(() => undefined)
      }
  }

  /** Resolves once it has ended or the engine is gone. */
  async #follow(): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#left.signal])
    let read: Promise<void> | null = null
    try {
      this.#input = await this.#engine.attach(this.#id, signal)
      const ended = this.#engine
        .stream(`/containers/${this.#id}/wait`, { condition: 'not-running' }, signal, 'POST')
        .then(async (answer) => {
          for await (const _ of answer) continue
        })
      read = this.#read(true, signal)
      await Promise.race([ended, read])
      // The rest of its log.
      await Promise.race([read, wait(LOG_MS, undefined, { ref: false })])
    } finally {
      over.abort()
      this.#input?.destroy()
      this.#input = null
      // What it still takes would come again with the next reading.
      await read?.catch(() => undefined)
    }
  }

  async #read(follow: boolean, signal: AbortSignal): Promise<void> {
    const last = this.#last
    const since =
      last && !this.#isResumed
        ? `${Math.floor(last.at / 1000)}.${String(last.at % 1000).padStart(3, '0')}`
        : 0
    const query = { stdout: true, stderr: true, timestamps: true, follow, since }
    const log = await this.#engine.stream(`/containers/${this.#id}/logs`, query, signal)
    const frames = new LogFrames()
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
    this.#end({ exitCode: State.ExitCode, signal: null, isOverMemory: State.OOMKilled, isAway })
  }

  #end(ending: ProcessExit): void {
    this.#ending = ending
    this.#exits.tell(ending)
    this.#known.resolve()
  }

  /** If the engine is away, the next step comes after its limit. */
  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#engine.post(`/containers/${this.#id}/kill`, { signal }).catch(() => undefined)
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
