import type { Sample, ServerRef, StatusMark } from '../../../../contract/bridge/values.ts'
import type { Stop } from '../../../../contract/bridge/bridge.ts'
import { asProblem, call, on, onReach, type Problem, type ProblemData } from '../../../core/bridge.ts'
import { now } from '../../../ui/base/now.ts'

/** How far back the graphs go, in milliseconds. */
export const SPAN = 3_600_000
/** A clock that goes back by more was set, in milliseconds. */
const SET_BACK = 60_000
/** Readings farther apart than this are not joined by a line: in between nothing was read. */
const JOINED = 20_000

/** What is drawn where the server started, stopped or crashed. */
export interface Event {
  /** Milliseconds since 1970. */
  at: number
  kind: 'start' | 'stop' | 'crash'
}

export type Measure = 'cpu' | 'memory' | 'players'

/** Two columns, as uPlot takes them: seconds since 1970, and values. A null value interrupts the line. */
export type Columns = [times: number[], values: (number | null)[]]

/** The readings of the last hour, and how they grow. */
export class Samples {
  samples = $state.raw<readonly Sample[]>([])
  marks = $state.raw<readonly StatusMark[]>([])
  /** Whether what there is has been read. */
  loaded = $state(false)
  problem = $state.raw<Problem | null>(null)
  /** Why the service gives no readings; null where it does, or where there are none to give. */
  missing = $state.raw<ProblemData | null>(null)
  readonly #server: ServerRef

  constructor(server: ServerRef) {
    this.#server = server
  }

  /** The readings of the last hour as the clock has it: of a server that is off, none are added any more. */
  readonly recent = $derived(within(this.samples, now()))
  /** What is drawn on the graphs, oldest first. */
  readonly events = $derived(within(eventsOf(this.marks), now()))

  /** Reads the last hour and grows with what comes, until the answered function is called. */
  start(): Stop {
    const mine = (event: ServerRef) =>
      event.connectionId === this.#server.connectionId && event.serverId === this.#server.serverId
    let reached = true
    const stops = [
      on('sample', (event) => {
        if (!mine(event)) return
        const last = this.samples.at(-1)
        // The computer's clock was set back, and main has moved all before with it.
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

  /** A measure in columns. */
  columns(measure: Measure): Columns {
    return columnsOf(this.recent, measure)
  }

  /**
   * The value of a measure now and the highest of the last hour; null where there is none. What was read last is a value
   * of now only as long as the next reading is not overdue.
   */
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

/** Those of the last hour. */
function within<T extends { at: number }>(list: readonly T[], until: number): readonly T[] {
  const from = list.findIndex((one) => one.at > until - SPAN)
  return from === 0 ? list : from === -1 ? [] : list.slice(from)
}

/** Adds at the end and forgets what is older than an hour. What is not newer than the last is not added. */
function grown<T extends { at: number }>(list: readonly T[], next: T): readonly T[] {
  const last = list.at(-1)
  if (last && next.at <= last.at) return list
  return [...within(list, next.at), next]
}

/** Columns of a measure, interrupted where nothing was read for a while. */
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

/** Which of the changes of status are a start, a stop or a crash: one each, where it began. */
export function eventsOf(marks: readonly StatusMark[]): Event[] {
  const events: Event[] = []
  let before = ''
  for (const { at, status } of marks) {
    if (status === 'starting' || (status === 'online' && before !== 'starting'))
      events.push({ at, kind: 'start' })
    else if (status === 'crashed') events.push({ at, kind: 'crash' })
    else if (status === 'stopping' || (status === 'offline' && before !== 'stopping' && before !== 'crashed'))
      events.push({ at, kind: 'stop' })
    before = status
  }
  return events
}
