import type { Sample, ServerRef, StatusMark } from '../../../../contract/bridge/values.ts'
import type { Stop } from '../../../../contract/bridge/bridge.ts'
import { asProblem, call, on, onReach, type Problem, type ProblemData } from '../../../core/bridge.ts'
import { now } from '../../../ui/base/now.ts'

/** In ms. */
export const SPAN = 3_600_000
/** In ms. A larger jump backward means the clock was set. */
const SET_BACK = 60_000
/** In ms. Larger gaps interrupt the line. */
const JOINED = 20_000

export interface Event {
  /** In ms since 1970. */
  at: number
  kind: 'start' | 'stop' | 'crash'
}

export type Measure = 'cpu' | 'memory' | 'players'

/** uPlot data: seconds since 1970, and values. Null interrupts the line. */
export type Columns = [times: number[], values: (number | null)[]]

export class Samples {
  samples = $state.raw<readonly Sample[]>([])
  marks = $state.raw<readonly StatusMark[]>([])
  loaded = $state(false)
  problem = $state.raw<Problem | null>(null)
  /** Why the service gives no readings; null if it does or there are none. */
  missing = $state.raw<ProblemData | null>(null)
  readonly #server: ServerRef

  constructor(server: ServerRef) {
    this.#server = server
  }

  /** Filtered by the clock, because a stopped server adds no readings. */
  readonly recent = $derived(within(this.samples, now()))
  readonly events = $derived(within(eventsOf(this.marks, this.samples[0]?.at), now()))

  /** Loads the last hour and follows until the returned function is called. */
  start(): Stop {
    const mine = (event: ServerRef) =>
      event.connectionId === this.#server.connectionId && event.serverId === this.#server.serverId
    let reached = true
    const stops = [
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

  async read(): Promise<void> {
    try {
      const { samples, marks, problem } = await call('servers.samples', this.#server)
      this.missing = problem
      this.samples = samples
      this.marks = marks
      this.problem = null
    } catch (thrown) {
      this.problem = asProblem(thrown)
    } finally {
      this.loaded = true
    }
  }

  columns(measure: Measure): Columns {
    return columnsOf(this.recent, measure)
  }

  /** Current value and maximum of the last hour. The last reading is current only until the next is overdue. */
  summary(measure: Measure): { now: number | null; most: number | null } {
    let most: number | null = null
    for (const sample of this.recent) {
      const value = sample[measure]
      if (value !== null && (most === null || value > most)) most = value
    }
    const last = this.recent.at(-1)
    return { now: last && now() - last.at <= JOINED ? last[measure] : null, most }
  }
}

function within<T extends { at: number }>(list: readonly T[], until: number): readonly T[] {
  const from = list.findIndex((one) => one.at > until - SPAN)
  return from === 0 ? list : from === -1 ? [] : list.slice(from)
}

/** Appends and drops what is older than an hour. Ignores what is not newer than the last. */
function grown<T extends { at: number }>(list: readonly T[], next: T): readonly T[] {
  const last = list.at(-1)
  if (last && next.at <= last.at) return list
  return [...within(list, next.at), next]
}

export function columnsOf(samples: readonly Sample[], measure: Measure): Columns {
  const times: number[] = []
  const values: (number | null)[] = []
  let before = 0
  for (const sample of samples) {
    if (before > 0 && sample.at - before > JOINED) {
      times.push((before + 1) / 1000)
      values.push(null)
    }
    times.push(sample.at / 1000)
    values.push(sample[measure])
    before = sample.at
  }
  return [times, values]
}

/** `ranSince`: since when it is known to have run. What was never up has not stopped. */
export function eventsOf(marks: readonly StatusMark[], ranSince = Infinity): Event[] {
  const events: Event[] = []
  let before = (marks[0]?.at ?? 0) > ranSince ? 'online' : ''
  for (const { at, status } of marks) {
    if (status === 'starting' || (status === 'online' && before !== 'starting'))
      events.push({ at, kind: 'start' })
    else if (status === 'crashed') events.push({ at, kind: 'crash' })
    else if (
      status === 'stopping' ||
      (status === 'offline' && (before === 'online' || before === 'starting'))
    )
      events.push({ at, kind: 'stop' })
    before = status
  }
  return events
}

const WORSE = ['start', 'stop', 'crash'] as const

/** One mark for events less than `apart` ms after it, of the worst of them. */
export function merged(events: readonly Event[], apart: number): Event[] {
  const shown: Event[] = []
  for (const { at, kind } of events) {
    const before = shown.at(-1)
    if (!before || at - before.at >= apart) shown.push({ at, kind })
    else if (WORSE.indexOf(kind) > WORSE.indexOf(before.kind)) before.kind = kind
  }
  return shown
}
