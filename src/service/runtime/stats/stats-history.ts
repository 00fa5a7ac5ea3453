import type { Logger } from 'pino'
import type { z } from 'zod'
import type { StatsHistory, StatsRange } from '../../../contract/areas/stats-history.ts'
import { isoTime, type Clock } from '../../base/clock.ts'
import type { UseBucket } from '../../store/stats.ts'
import type { Store } from '../../store/store.ts'
import type { Runtime } from '../types.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** In ms: how far back, and in buckets of what length. At most 336 per range and server. */
const RANGES = {
  hour: { span: HOUR, step: MINUTE },
  day: { span: 24 * HOUR, step: 5 * MINUTE },
  week: { span: 7 * 24 * HOUR, step: 30 * MINUTE },
} as const satisfies Record<StatsRange, { span: number; step: number }>

/** What a server used at a moment. */
export interface UseSample {
  cpu: number
  memory: number
  players: number
}

interface Ports {
  store: Pick<Store, 'stats' | 'inOneStep'>
  runtime: Pick<Runtime, 'onStats' | 'onStatus'>
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn'>
}

/** What servers used, in buckets. A power failure loses the last minute. */
export class StatsRecorder {
  readonly #ports: Ports
  /** The minute that isn't written yet, per running server. */
  readonly #open = new Map<string, UseBucket>()
  readonly #stops: (() => void)[]

  constructor(ports: Ports) {
    this.#ports = ports
    this.#stops = [
      ports.runtime.onStats((serverId, sample) => this.#take(serverId, sample)),
      ports.runtime.onStatus((serverId, { status }) => this.#mark(serverId, status)),
    ]
  }

  /** Includes what was sampled just now. */
  read(serverId: string, range: StatsRange): z.input<typeof StatsHistory> {
    this.#write(serverId)
    const { stats } = this.#ports.store
    const { span, step } = RANGES[range]
    const until = this.#ports.clock.now()
    const since = until - span
    return {
      points: stats.buckets(serverId, step, since, until).map((bucket) => ({
        at: isoTime(bucket.at),
        cpuPercent: round(bucket.cpu / bucket.samples),
        cpuPercentMost: bucket.cpuMost,
        memoryBytes: Math.round(bucket.memory / bucket.samples),
        memoryBytesMost: bucket.memoryMost,
        playersMost: bucket.playersMost,
      })),
      seconds: step / 1000,
      marks: stats.marks(serverId, since, until).map(({ at, status }) => ({ at: isoTime(at), status })),
    }
  }

  close(): void {
    for (const stop of this.#stops) stop()
    for (const serverId of [...this.#open.keys()]) this.#write(serverId)
  }

  #take(serverId: string, { cpu, memory, players }: UseSample): void {
    const at = beginning(this.#ports.clock.now(), MINUTE)
    const open = this.#open.get(serverId)
    if (open && open.at !== at) this.#write(serverId)
    const before = this.#open.get(serverId)
    this.#open.set(serverId, {
      at,
      samples: (before?.samples ?? 0) + 1,
      cpu: (before?.cpu ?? 0) + cpu,
      memory: (before?.memory ?? 0) + memory,
      cpuMost: Math.max(before?.cpuMost ?? 0, cpu),
      memoryMost: Math.max(before?.memoryMost ?? 0, memory),
      playersMost: Math.max(before?.playersMost ?? 0, players),
    })
  }

  #mark(serverId: string, status: unknown): void {
    if (typeof status !== 'string' || status === 'installing') return
    const at = this.#ports.clock.now()
    this.#write(serverId)
    this.#try(() => this.#ports.store.stats.mark(serverId, { at, status }, at - RANGES.week.span))
  }

  #write(serverId: string): void {
    const open = this.#open.get(serverId)
    if (!open) return
    this.#open.delete(serverId)
    const now = this.#ports.clock.now()
    this.#try(() => {
      for (const { span, step } of Object.values(RANGES)) {
        // Buckets of a time to come are of a clock that was set back.
        const kept = { since: now - span - step, until: Math.max(now, open.at) }
        this.#ports.store.stats.add(serverId, step, { ...open, at: beginning(open.at, step) }, kept)
      }
    })
  }

  #try(write: () => void): void {
    try {
      this.#ports.store.inOneStep(write)
    } catch (error) {
      // A full disk takes a gap in the graphs, not the server.
      this.#ports.log.warn({ err: error }, 'statistics could not be kept')
    }
  }
}

const beginning = (at: number, step: number): number => Math.floor(at / step) * step

const round = (value: number): number => Math.round(value * 10) / 10
