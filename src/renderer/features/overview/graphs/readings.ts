import { isStopped } from '../../../../contract/rules/power.ts'
import type { Sample, StatusMark } from '../../../../contract/bridge/values.ts'
import type { StatsHistory, StatsRange } from '../../../../contract/areas/stats-history.ts'

const HOUR = 3_600_000
/** In ms. */
export const SPANS: Readonly<Record<StatsRange, number>> = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR }
/** In ms. Larger gaps interrupt the line. */
export const JOINED = 20_000
/** As of buckets that the service keeps; a host may tell of none. */
const BUCKET = 60_000

export type Measure = 'cpu' | 'memory' | 'players'

/** A sample, or what a service tells of the time until `until`. */
export interface Reading extends Sample {
  until?: number
  most?: Record<Measure, number | null>
}

/** uPlot data: seconds since 1970, and values. Null interrupts the line. */
export type Columns = [times: number[], values: (number | null)[]]

export interface Event {
  /** In ms since 1970. */
  at: number
  kind: 'start' | 'stop' | 'crash'
}

/** In order of time, each until the next at most. */
export function readingsOf({ points, seconds }: StatsHistory): Reading[] {
  const length = seconds ? seconds * 1000 : BUCKET
  const readings = points.map((point): Reading => {
    const at = Date.parse(point.at)
    return {
      ...{ at, until: at + length },
      ...{
        cpu: point.cpuPercent ?? null,
        memory: point.memoryBytes ?? null,
        players: point.playersMost ?? null,
      },
      most: {
        cpu: point.cpuPercentMost ?? null,
        memory: point.memoryBytesMost ?? null,
        players: point.playersMost ?? null,
      },
    }
  })
  return readings.sort((a, b) => a.at - b.at).filter(({ at }, index, all) => at !== all[index - 1]?.at)
}

export const marksOf = ({ marks }: StatsHistory): StatusMark[] =>
  marks
    .map(({ at, status }) => ({
      at: Date.parse(at),
      status: typeof status === 'string' ? status : status.raw,
    }))
    .sort((a, b) => a.at - b.at)

/** What the service kept, before the panel's own samples begin. */
export function joined(kept: readonly Reading[], own: readonly Sample[]): readonly Reading[] {
  const first = own[0]?.at ?? Infinity
  return [...kept.filter(({ at, until = at }) => until <= first), ...own]
}

export function columnsOf(readings: readonly Reading[], measure: Measure): Columns {
  const times: number[] = []
  const values: (number | null)[] = []
  const push = (at: number, value: number | null) => {
    times.push(at / 1000)
    values.push(value)
  }
  readings.forEach((reading, index) => {
    push(reading.at, reading[measure])
    const next = readings[index + 1]
    const end = reading.until ?? reading.at
    // Own samples begin within the time of a reading that is left out for them.
    const isLast = !next || next.at - end > Math.max(JOINED, next.until ? 0 : end - reading.at)
    // A short run between two gaps has a width.
    if (isLast && end > reading.at + 1) push(end, reading[measure])
    if (next && isLast) push(end + 1, null)
  })
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
    else if (status === 'stopping' || (isStopped(status) && (before === 'online' || before === 'starting')))
      events.push({ at, kind: 'stop' })
    before = status
  }
  return events
}

/** One mark for events less than `apart` ms after it: a crash, or what came last, so that a restart is a start. */
export function merged(events: readonly Event[], apart: number): Event[] {
  const shown: Event[] = []
  for (const { at, kind } of events) {
    const before = shown.at(-1)
    if (!before || at - before.at >= apart) shown.push({ at, kind })
    else if (before.kind !== 'crash') before.kind = kind
  }
  return shown
}
