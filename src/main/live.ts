import { eventStale } from '../contract/areas/console.ts'
import type { ContainerStats, RuntimeStatus } from '../contract/areas/servers.ts'
import type { EventName, Events } from '../contract/bridge/events.ts'
import type { PlayerCount, ServerRef } from '../contract/bridge/values.ts'
import { changeServer } from './areas/servers.ts'
import type { ViewStore } from './cache/view-store.ts'
import type { Samples } from './console/samples.ts'

export interface LivePorts {
  views: ViewStore
  samples: Samples
  broadcast: <E extends EventName>(event: E, value: Events[E]) => void
}

/** Puts what the live stream tells into the views it concerns, and keeps the readings for the graphs. */
export function createLive({ views, samples, broadcast }: LivePorts) {
  return {
    onStatus(server: ServerRef, status: RuntimeStatus): void {
      const mark = samples.status(
        server,
        typeof status.status === 'string' ? status.status : status.status.raw,
      )
      if (mark) {
        broadcast('mark', { ...server, mark })
        void views.markStale(eventStale.status, server.connectionId, server.serverId)
      }
      void views.put(statusOf(server), status)
      // How many are on holds while the server is online; of the time before nothing stays.
      const players = status.status === 'online' ? status.players : null
      if (players) samples.players(server, players.online)
      const part = { status: status.status, ...(players === undefined ? {} : { players }) }
      changeServer(views, server, part)
    },
    onPlayers(server: ServerRef, { online, max }: PlayerCount): void {
      samples.players(server, online)
      const players = { online, max }
      void views.change(statusOf(server), (value) => ({ ...value, players }))
      changeServer(views, server, { players })
    },
    onStats(server: ServerRef, stats: ContainerStats): void {
      const reading = { cpu: stats.cpuPercent ?? null, memory: stats.memoryBytes ?? null }
      broadcast('sample', { ...server, sample: samples.add(server, reading) })
    },
  }
}

const statusOf = ({ connectionId, serverId }: ServerRef) =>
  ({ view: 'servers.status', connectionId, params: { serverId } }) as const
