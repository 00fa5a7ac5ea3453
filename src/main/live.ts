import type { ContainerStats, RuntimeStatus, Server } from '../contract/areas/servers.ts'
import type { EventName, Events } from '../contract/bridge/events.ts'
import type { Problem } from '../contract/bridge/problem.ts'
import type { PlayerCount, ServerRef } from '../contract/bridge/values.ts'
import type { ViewSources, ViewStore } from './cache/view-store.ts'
import type { Samples } from './console/samples.ts'
import { sameStatus, type Statuses } from './statuses.ts'

export interface LivePorts {
  /** Asked for when something is told: the views read by the sources that are answered here. */
  views: () => ViewStore
  samples: Samples
  statuses: Statuses
  broadcast: <E extends EventName>(event: E, value: Events[E]) => void
}

/** Puts what is told of a server into the views it concerns, and keeps the readings for the graphs. */
export function createLive({ views, samples, statuses, broadcast }: LivePorts) {
  /** Changes a server wherever it is shown: by itself and in the list. */
  const patch = ({ connectionId, serverId }: ServerRef, part: Partial<Server>) => {
    void views().change('server', { connectionId, serverId }, (value) => value && { ...value, ...part })
    void views().change(
      'servers',
      { connectionId },
      (list) =>
        list && {
          ...list,
          items: list.items.map((item) => (item.id === serverId ? { ...item, ...part } : item)),
        },
    )
  }
  /** What follows from a status that is news, whoever told it. */
  const noted = (server: ServerRef, { status, players }: Pick<RuntimeStatus, 'status' | 'players'>) => {
    const mark = samples.status(server, typeof status === 'string' ? status : status.raw)
    if (mark) {
      broadcast('mark', { ...server, mark })
      // A server that starts or stops writes files, of which nobody tells.
      void views().markStale(['files', 'limits'], server.connectionId, server.serverId)
    }
    // How many are on holds while the server is online; of the time before nothing stays.
    const now = status === 'online' ? players : null
    if (now) samples.players(server, now.online)
    return { status, ...(now === undefined ? {} : { players: now }) }
  }
  const telling = {
    onStatus(server: ServerRef, status: RuntimeStatus): void {
      statuses.told(server, status)
      void views().change('status', server, () => status)
      patch(server, noted(server, status))
    },
    onPlayers(server: ServerRef, { online, max }: PlayerCount): void {
      samples.players(server, online)
      const players = { online, max }
      void views().change('status', server, (value) => value && { ...value, players })
      patch(server, { players })
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
    if (
      server.status &&
      isWord &&
      statuses.read(ref, { status: server.status, players: server.players }, since)
    ) {
      noted(ref, { status: server.status, players: server.players })
      const { status, players } = server
      if (before && !sameStatus(before.status, status))
        void views().change('status', ref, (value) => value && { status, players })
      return server
    }
    return statuses.fill(connectionId, server)
  }

  /** The sources of the views, such that all that tell a status tell the same one. */
  const sources = (read: ViewSources): ViewSources => ({
    ...read,
    async servers(input) {
      const since = statuses.begin()
      const list = await read.servers(input)
      return { ...list, items: list.items.map((one) => readServer(input.connectionId, one, since)) }
    },
    async server(input) {
      const since = statuses.begin()
      return readServer(input.connectionId, await read.server(input), since)
    },
    async status(input) {
      const since = statuses.begin()
      const value = await read.status(input)
      // What the stream told meanwhile is newer, and has changed the view already.
      if (statuses.read(input, value, since)) patch(input, noted(input, value))
      return value
    },
  })
  return { ...telling, sources }
}
