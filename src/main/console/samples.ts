import type { Problem } from '../../contract/bridge/problem.ts'
import type { Sample, ServerRef, StatusMark } from '../../contract/bridge/values.ts'
import { evictRemovedServers } from '../base/evict-removed-servers.ts'

/** Range of the graphs, in ms. */
const KEPT = 60 * 60 * 1000
/** A larger step back means the clock was set, in ms. */
const SET_BACK = 60 * 1000

interface Series {
  samples: Sample[]
  marks: StatusMark[]
  players: number | null
  status: string | null
  problem: Problem | null
}

export class Samples {
  readonly #series = new Map<string, Series>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  of(server: ServerRef): { samples: Sample[]; marks: StatusMark[]; problem: Problem | null } {
    const series = this.#at(server)
    this.#trim(series)
    const { samples, marks, problem } = series
    return { samples, marks, problem }
  }

  missing(server: ServerRef, problem: Problem | null): boolean {
    const series = this.#at(server)
    const same = series.problem?.code === problem?.code
    series.problem = problem
    return !same
  }

  add(server: ServerRef, reading: { cpu: number | null; memory: number | null }): Sample {
    const series = this.#at(server)
    const at = this.#now()
    // Move readings from before the clock change, so they stay earlier in the graph.
    const ahead = (series.samples.at(-1)?.at ?? at) - at
    if (ahead > SET_BACK) {
      series.samples = series.samples.map((one) => ({ ...one, at: one.at - ahead - 1 }))
      series.marks = series.marks.map((one) => ({ ...one, at: one.at - ahead - 1 }))
    }
    const sample = { at, ...reading, players: series.players }
    series.samples.push(sample)
    this.#trim(series)
    return sample
  }

  players(server: ServerRef, online: number): boolean {
    const series = this.#at(server)
    const before = series.players
    series.players = online
    return before !== null && before !== online
  }

  /** The first status seen is not a change. */
  status(server: ServerRef, status: string): StatusMark | null {
    const series = this.#at(server)
    if (status !== 'online') series.players = null
    const before = series.status
    series.status = status
    if (before === null || before === status) return null
    const mark = { at: this.#now(), status }
    series.marks.push(mark)
    return mark
  }

  keepFewGone(connectionId: string, serverIds: ReadonlySet<string>): void {
    evictRemovedServers(this.#series, connectionId, serverIds)
  }

  forget(connectionId: string): void {
    for (const key of this.#series.keys()) if (key.startsWith(`${connectionId}\n`)) this.#series.delete(key)
  }

  #trim({ samples, marks }: Series): void {
    const oldest = this.#now() - KEPT
    while (samples[0] && samples[0].at < oldest) samples.shift()
    while (marks[0] && marks[0].at < oldest) marks.shift()
  }

  #at({ connectionId, serverId }: ServerRef): Series {
    const key = `${connectionId}\n${serverId}`
    let series = this.#series.get(key)
    if (!series)
      this.#series.set(key, (series = { samples: [], marks: [], players: null, status: null, problem: null }))
    return series
  }
}
