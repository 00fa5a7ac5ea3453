import type { Problem } from '../../contract/bridge/problem.ts'
import type { Sample, ServerRef, StatusMark } from '../../contract/bridge/values.ts'
import { evictRemovedServers } from '../base/evict-removed-servers.ts'

/** How far back the graphs reach, in ms. */
const KEPT = 60 * 60 * 1000
/** A clock that goes back by more was set, in ms. */
const SET_BACK = 60 * 1000

interface Series {
  samples: Sample[]
  marks: StatusMark[]
  /** The last player count told, for the next sample. */
  players: number | null
  status: string | null
  /** Why statistics could not be read last time. */
  problem: Problem | null
}

/** The readings of the last hour, of every server the live stream told of. In memory only. */
export class Samples {
  readonly #series = new Map<string, Series>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** What there is of the last hour; of a server that has been off for longer there is nothing. */
  of(server: ServerRef): { samples: Sample[]; marks: StatusMark[]; problem: Problem | null } {
    const series = this.#at(server)
    this.#trim(series)
    const { samples, marks, problem } = series
    return { samples, marks, problem }
  }

  /** Notes why there are no readings; answers whether that is new. */
  missing(server: ServerRef, problem: Problem | null): boolean {
    const series = this.#at(server)
    const same = series.problem?.code === problem?.code
    series.problem = problem
    return !same
  }

  add(server: ServerRef, reading: { cpu: number | null; memory: number | null }): Sample {
    const series = this.#at(server)
    const at = this.#now()
    // What was read before the clock was set back stays where it is in the graph: before what comes.
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

  /** How many players are on, until it is told anew or the server is no longer online. Answers whether that changed. */
  players(server: ServerRef, online: number): boolean {
    const series = this.#at(server)
    const before = series.players
    series.players = online
    return before !== null && before !== online
  }

  /** Marks a change of status; the first status that is seen is no change. */
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

  /** Lets go of servers that a connection no longer has, but for a few. */
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
