import type { Sample, ServerRef, StatusMark } from '../../../../contract/bridge/values.ts'
import type { StatsRange } from '../../../../contract/areas/stats-history.ts'
import type { Stop } from '../../../../contract/bridge/bridge.ts'
import { asProblem, call, on, onReach, type Problem, type ProblemData } from '../../../core/bridge.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { now } from '../../../ui/base/now.ts'
import {
  columnsOf,
  eventsOf,
  joined,
  JOINED,
  marksOf,
  readingsOf,
  SPANS,
  type Columns,
  type Measure,
} from './readings.ts'

/** In ms. A larger jump backward means the clock was set. */
const SET_BACK = 60_000
/** In ms. The service adds to its history once a minute. */
const AGAIN_EVERY = 60_000

export const RANGES = ['hour', 'day', 'week'] as const
const remembered = 'graphs-range'

const rememberedRange = (): StatsRange =>
  RANGES.find((range) => range === localStorage.getItem(remembered)) ?? 'hour'

/** What a server used: the panel's own samples of the last hour, and what its service kept, if it keeps that. */
export class Samples {
  samples = $state.raw<readonly Sample[]>([])
  marks = $state.raw<readonly StatusMark[]>([])
  #isRead = $state(false)
  #problem = $state.raw<Problem | null>(null)
  /** Why the service gives no readings; null if it does or there are none. */
  missing = $state.raw<ProblemData | null>(null)
  readonly #server: ServerRef
  #chosen = $state<StatsRange>(rememberedRange())
  readonly #asked = $derived.by(() => this.#historyOf(this.#chosen))

  constructor(server: ServerRef) {
    this.#server = server
  }

  /** False: only the panel's own samples are known. */
  get isKept(): boolean {
    const { value, problem } = this.#asked
    return (
      value !== null ||
      (problem !== null && problem.retryable) ||
      (problem === null && this.#chosen !== 'hour')
    )
  }

  /** The service has said that it keeps none. */
  get isHourOnly(): boolean {
    return this.#asked.kind !== 'loading' && !this.isKept
  }

  get range(): StatsRange {
    return this.isKept ? this.#chosen : 'hour'
  }

  set range(range: StatsRange) {
    this.#chosen = range
    localStorage.setItem(remembered, range)
  }

  get loaded(): boolean {
    return this.range === 'hour' ? this.#isRead : this.#asked.kind !== 'loading'
  }

  get problem(): ProblemData | null {
    return this.range === 'hour' ? this.#problem : this.#asked.value === null ? this.#asked.problem : null
  }

  readonly #kept = $derived.by(() => {
    const { value } = this.#asked
    return value ? { readings: readingsOf(value), marks: marksOf(value) } : null
  })

  /** Filtered by the clock, because a stopped server adds no readings. */
  readonly recent = $derived.by(() => {
    const kept = this.#kept?.readings ?? []
    return within(this.range === 'hour' ? joined(kept, this.samples) : kept, now(), this.range)
  })
  readonly events = $derived(
    within(
      this.#kept
        ? eventsOf(this.#kept.marks, this.#kept.readings[0]?.until)
        : eventsOf(this.marks, this.samples[0]?.at),
      now(),
      this.range,
    ),
  )

  /** Loads and follows until the returned function is called. */
  start(): Stop {
    const mine = (event: ServerRef) =>
      event.connectionId === this.#server.connectionId && event.serverId === this.#server.serverId
    let reached = true
    const again = setInterval(() => this.range !== 'hour' && void this.#asked.read(), AGAIN_EVERY)
    const stops = [
      () => clearInterval(again),
      on('sample', (event) => {
        if (!mine(event)) return
        const last = this.samples.at(-1)
        // The clock was set back, and main has shifted earlier readings.
        if (last && last.at - event.sample.at > SET_BACK) void this.read()
        else this.samples = grown(this.samples, event.sample)
      }),
      on('statistics', (event) => {
        if (mine(event)) this.missing = event.problem
      }),
      on('mark', (event) => {
        if (mine(event)) this.marks = grown(this.marks, event.mark)
      }),
      onReach((now) => {
        if (now && !reached) void this.read()
        reached = now
      }),
    ]
    void this.read()
    return () => stops.forEach((stop) => stop())
  }

  again(): Promise<void> {
    return this.range === 'hour' ? this.read() : this.#asked.again()
  }

  async read(): Promise<void> {
    try {
      const { samples, marks, problem } = await call('servers.samples', this.#server)
      this.missing = problem
      this.samples = samples
      this.marks = marks
      this.#problem = null
    } catch (thrown) {
      this.#problem = asProblem(thrown)
    } finally {
      this.#isRead = true
    }
  }

  columns(measure: Measure): Columns {
    return columnsOf(this.recent, measure)
  }

  /** Current value and maximum of the range. The last sample is current only until the next is overdue. */
  summary(measure: Measure): { now: number | null; most: number | null } {
    let most: number | null = null
    for (const reading of this.recent) {
      const value = reading.most?.[measure] ?? reading[measure]
      if (value !== null && (most === null || value > most)) most = value
    }
    const last = this.samples.at(-1)
    return { now: last && now() - last.at <= JOINED ? last[measure] : null, most }
  }

  #historyOf(range: StatsRange): LiveView<'servers.stats-history'> {
    const { connectionId, serverId } = this.#server
    return new LiveView('servers.stats-history', { connectionId, params: { serverId }, query: { range } })
  }
}

function within<T extends { at: number }>(
  list: readonly T[],
  until: number,
  range: StatsRange,
): readonly T[] {
  const from = list.findIndex((one) => one.at > until - SPANS[range])
  return from === 0 ? list : from === -1 ? [] : list.slice(from)
}

/** Appends and drops what is older than an hour. Ignores what is not newer than the last. */
function grown<T extends { at: number }>(list: readonly T[], next: T): readonly T[] {
  const last = list.at(-1)
  if (last && next.at <= last.at) return list
  return [...within(list, next.at, 'hour'), next]
}
