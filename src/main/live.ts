import { eventStale } from '../contract/areas/console.ts'
import type { ContainerStats, RuntimeStatus, Server } from '../contract/areas/servers.ts'
import type { EventName, Events } from '../contract/bridge/events.ts'
import type { NamedView } from '../contract/bridge/passed.ts'
import type { Problem } from '../contract/bridge/problem.ts'
import type { ListValue, PlayerCount, ServerRef } from '../contract/bridge/values.ts'
import { changeServer } from './areas/servers.ts'
import type { ViewSource } from './cache/view-source.ts'
import type { ViewStore } from './cache/view-store.ts'
import type { Samples } from './console/samples.ts'
import { sameStatus, type Statuses } from './statuses.ts'

export interface LivePorts {
  /** Asked for when something is told: the views read by the source that is answered here. */
  views: () => ViewStore
  samples: Samples
  statuses: Statuses
  broadcast: <E extends EventName>(event: E, value: Events[E]) => void
}

/** Puts what is told of a server into the views it concerns, and keeps the readings for the graphs. */
export function createLive({ views, samples, statuses, broadcast }: LivePorts) {
  /** What follows from a status that is news, whoever told it. */
  const noted = (server: ServerRef, { status, players }: Pick<RuntimeStatus, 'status' | 'players'>) => {
    const mark = samples.status(server, typeof status === 'string' ? status : status.raw)
    if (mark) {
      broadcast('mark', { ...server, mark })
      void views().markStale(eventStale.status, server.connectionId, server.serverId)
    }
    // How many are on holds while the server is online; of the time before nothing stays.
    const now = status === 'online' ? players : null
    if (now) samples.players(server, now.online)
    return { status, ...(now === undefined ? {} : { players: now }) }
  }
  const telling = {
    onStatus(server: ServerRef, status: RuntimeStatus): void {
      statuses.told(server, status)
      void views().put(statusOf(server), status)
      changeServer(views(), server, noted(server, status))
    },
    onPlayers(server: ServerRef, { online, max }: PlayerCount): void {
      samples.players(server, online)
      const players = { online, max }
      void views().change(statusOf(server), (value) => ({ ...value, players }))
      changeServer(views(), server, { players })
    },
    onStats(server: ServerRef, stats: ContainerStats): void {
      telling.onNoStats(server, null)
      const reading = { cpu: stats.cpuPercent ?? null, memory: stats.memoryBytes ?? null }
      broadcast('sample', { ...server, sample: samples.add(server, reading) })
    },
    onNoStats(server: ServerRef, problem: Problem | null): void {
      if (samples.missing(server, problem)) broadcast('statistics', { ...server, problem })
    },
  }

  /** Takes the status that a read of a server or a list tells into the other views; answers the server as it stands. */
  const readServer = (connectionId: string, server: Server, since: number): Server => {
    const ref = { connectionId, serverId: server.id }
    const before = statuses.of(ref)
    // A word that nobody knows does not stand against one that was told and is known.
    const isWord = typeof server.status === 'string' || typeof before?.status !== 'string'
    const { status, players } = server
    if (status && isWord && statuses.read(ref, { status, players }, since)) {
      noted(ref, { status, players })
      if (before && !sameStatus(before.status, status))
        void views().change(statusOf(ref), () => ({ status, players }))
      return server
    }
    return statuses.fill(connectionId, server)
  }

  const readStatus = (server: ServerRef, value: RuntimeStatus, since: number): RuntimeStatus => {
    // What the stream told meanwhile is newer, and has changed the view already.
    if (statuses.read(server, value, since)) changeServer(views(), server, noted(server, value))
    return value
  }

  const taken = ({ view, connectionId, params }: NamedView, value: unknown, since: number): unknown => {
    switch (view) {
      case 'servers.list': {
        const list = value as ListValue<Server>
        return { ...list, items: list.items.map((one) => readServer(connectionId, one, since)) }
      }
      case 'servers.read':
        return readServer(connectionId, value as Server, since)
      case 'servers.status':
        return readStatus(
          { connectionId, serverId: params?.['serverId'] ?? '' },
          value as RuntimeStatus,
          since,
        )
      default:
        return value
    }
  }

  /** The source of the views, such that all that tell a status tell the same one. */
  const source = (of: ViewSource): ViewSource => ({
    ...of,
    async read(named) {
      const since = statuses.begin()
      const { value, tag } = await of.read(named)
      return { value: taken(named, value, since), tag }
    },
  })
  return { ...telling, source }
}

const statusOf = ({ connectionId, serverId }: ServerRef) =>
  ({ view: 'servers.status', connectionId, params: { serverId } }) as const
