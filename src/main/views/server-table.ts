import type { ContainerStats, RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { NamedView } from '../../contract/bridge/passed.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { ListValue, PlayerCount, Sample, ServerRef, StatusMark } from '../../contract/bridge/values.ts'
import type { ViewSource } from './cache/view-store.ts'

/** Range of the graphs, in ms. */
const KEPT = 60 * 60 * 1000
/** A larger step back means the clock was set, in ms. */
const SET_BACK = 60 * 1000
/** Missing servers to keep: a list may omit one temporarily. */
const GONE_MOST = 100

export type StatusView = 'servers.list' | 'servers.read' | 'servers.status'

export interface StatusChange {
  /** Null for the first status seen. */
  mark: StatusMark | null
  isCountNew: boolean
}

interface Row {
  status: RuntimeStatus | null
  /** Only while online; undefined if never mentioned. */
  players: PlayerCount | null | undefined
  /** Of the news the row was last changed by. */
  revision: number
  samples: Sample[]
  marks: StatusMark[]
  /** Why there are no statistics. */
  problem: Problem | null
}

/** The newest status, player count and statistics of each server. Views are joined with it when they are sent. */
export class ServerTable {
  readonly #rows = new Map<string, Row>()
  readonly #listed = new Map<string, string[]>()
  readonly #now: () => number
  #revision = 0

  constructor(now: () => number) {
    this.#now = now
  }

  status(server: ServerRef): RuntimeStatus | null {
    return this.#rows.get(keyOf(server))?.status ?? null
  }

  /** Null if unknown, or if it isn't online. */
  playersOn(server: ServerRef): number | null {
    return this.#rows.get(keyOf(server))?.players?.online ?? null
  }

  graphs(server: ServerRef): Pick<Row, 'samples' | 'marks' | 'problem'> {
    const row = this.#rows.get(keyOf(server))
    if (row) this.#trim(row)
    const { samples, marks, problem } = row ?? emptyRow()
    return { samples, marks, problem }
  }

  setStatus(server: ServerRef, status: RuntimeStatus): StatusChange {
    const row = this.#changing(server)
    const [before, now] = [wordOf(row.status?.status), wordOf(status.status)]
    const counted = row.players?.online
    if (now !== 'online') row.players = null
    else if (status.players !== undefined) row.players = status.players
    row.status = status
    const mark = before === undefined || before === now ? null : { at: this.#now(), status: now ?? '' }
    if (mark) row.marks.push(mark)
    return { mark, isCountNew: isCountNew(counted, row.players) }
  }

  setPlayers(server: ServerRef, players: PlayerCount): StatusChange {
    const row = this.#changing(server)
    const before = row.players?.online
    row.players = players
    return { mark: null, isCountNew: isCountNew(before, players) }
  }

  addSample(server: ServerRef, stats: ContainerStats): Sample {
    const row = this.#row(server)
    const at = this.#now()
    // Move readings from before the clock change, so they stay earlier in the graph.
    const ahead = (row.samples.at(-1)?.at ?? at) - at
    if (ahead > SET_BACK) {
      row.samples = row.samples.map((one) => ({ ...one, at: one.at - ahead - 1 }))
      row.marks = row.marks.map((one) => ({ ...one, at: one.at - ahead - 1 }))
    }
    const sample = {
      at,
      cpu: stats.cpuPercent ?? null,
      memory: stats.memoryBytes ?? null,
      players: row.players?.online ?? null,
    }
    row.samples.push(sample)
    this.#trim(row)
    return sample
  }

  /** Returns true if that is new. */
  setProblem(server: ServerRef, problem: Problem | null): boolean {
    const row = this.#row(server)
    const isNew = row.problem?.code !== problem?.code
    row.problem = problem
    return isNew
  }

  /** The servers of a connection as last listed. */
  listed(connectionId: string): string[] {
    return this.#listed.get(connectionId) ?? []
  }

  lacks(connectionId: string, serverId: string): boolean {
    return this.#listed.get(connectionId)?.includes(serverId) === false
  }

  /** Returns true if others are listed now. Bounds the rows: a service could list other servers each time. */
  setListed(connectionId: string, ids: string[]): boolean {
    const before = this.#listed.get(connectionId)
    if (before?.join() === ids.join()) return false
    this.#listed.set(connectionId, ids)
    const there = new Set(ids.map((serverId) => keyOf({ connectionId, serverId })))
    const gone = this.#keysOf(connectionId).filter((key) => !there.has(key))
    for (const key of gone.slice(0, Math.max(0, gone.length - GONE_MOST))) this.#rows.delete(key)
    return before !== undefined || ids.length > 0
  }

  forget(connectionId: string): void {
    this.#listed.delete(connectionId)
    for (const key of this.#keysOf(connectionId)) this.#rows.delete(key)
  }

  /** Takes every status from what is read, unless something newer has arrived meanwhile. */
  reading(
    source: ViewSource,
    onChange: (server: ServerRef, change: StatusChange, by: StatusView) => void,
  ): ViewSource {
    return {
      ...source,
      read: async (named) => {
        const since = this.#revision
        const answer = await source.read(named)
        const { view, connectionId, params } = named
        const take = (serverId: string, value: Server | RuntimeStatus, by: StatusView) => {
          const server = { connectionId, serverId }
          if ((this.#rows.get(keyOf(server))?.revision ?? 0) > since) return
          const status = by === 'servers.status' ? (value as RuntimeStatus) : this.#statusIn(server, value)
          if (status) onChange(server, this.setStatus(server, status), by)
        }
        if (view === 'servers.list')
          for (const one of (answer.value as ListValue<Server>).items) take(one.id, one, view)
        if (view === 'servers.read') take((answer.value as Server).id, answer.value as Server, view)
        if (view === 'servers.status') take(params?.['serverId'] ?? '', answer.value as RuntimeStatus, view)
        return answer
      },
    }
  }

  /** Returns the same value if it is up to date. */
  join({ view, connectionId, params }: NamedView, value: unknown): unknown {
    const joined = (server: Server) =>
      this.#joined(this.#rows.get(keyOf({ connectionId, serverId: server.id })), server)
    switch (view) {
      case 'servers.list': {
        const list = value as ListValue<Server>
        const items = list.items.map(joined)
        return items.every((server, at) => server === list.items[at]) ? list : { ...list, items }
      }
      case 'servers.read':
        return joined(value as Server)
      case 'servers.status': {
        const row = this.#rows.get(keyOf({ connectionId, serverId: params?.['serverId'] ?? '' }))
        const status = value as RuntimeStatus
        const isSame = !row?.status || wordOf(row.status.status) === wordOf(status.status)
        return this.#joined(row, isSame || !row.status ? status : row.status)
      }
      default:
        return value
    }
  }

  #joined<S extends Pick<Server, 'status' | 'players'>>(row: Row | undefined, value: S): S {
    if (!row) return value
    const status = row.status ? row.status.status : value.status
    const isSame = wordOf(status) === wordOf(value.status)
    if (wordOf(status) !== 'online') return isSame ? value : { ...value, status, players: null }
    const players = row.players === undefined ? value.players : row.players
    const isCounted = players?.online === value.players?.online && players?.max === value.players?.max
    return isSame && isCounted ? value : { ...value, status, players }
  }

  /** A list or a server contains less than a status does. */
  #statusIn(
    server: ServerRef,
    { status, players }: Pick<Server, 'status' | 'players'>,
  ): RuntimeStatus | null {
    const row = this.#rows.get(keyOf(server))
    const before = row?.status
    // An unknown word doesn't replace a known status.
    if (!status || (typeof status === 'object' && typeof before?.status === 'string')) return null
    const isSame = before && wordOf(before.status) === wordOf(status)
    // If the answer doesn't mention players, keep the last count.
    return { ...(isSame && before), status, players: players ?? row?.players }
  }

  #row(server: ServerRef): Row {
    const key = keyOf(server)
    const row = this.#rows.get(key) ?? emptyRow()
    this.#rows.set(key, row)
    return row
  }

  #changing(server: ServerRef): Row {
    const row = this.#row(server)
    row.revision = ++this.#revision
    return row
  }

  #keysOf(connectionId: string): string[] {
    return [...this.#rows.keys()].filter((key) => key.startsWith(`${connectionId}\n`))
  }

  #trim({ samples, marks }: Row): void {
    const oldest = this.#now() - KEPT
    while (samples[0] && samples[0].at < oldest) samples.shift()
    while (marks[0] && marks[0].at < oldest) marks.shift()
  }
}

const keyOf = ({ connectionId, serverId }: ServerRef): string => `${connectionId}\n${serverId}`

const wordOf = (status: Server['status']) => (typeof status === 'object' ? status?.raw : status)

/** A first count is not a change. */
const isCountNew = (before: number | undefined, players: PlayerCount | null | undefined): boolean =>
  before !== undefined && players !== null && players !== undefined && players.online !== before

const emptyRow = (): Row => ({
  ...{ status: null, players: undefined, revision: 0 },
  ...{ samples: [], marks: [], problem: null },
})
