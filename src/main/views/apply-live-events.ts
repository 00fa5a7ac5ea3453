import { eventStale } from '../../contract/areas/console.ts'
import { operations, type ReadId } from '../../contract/areas/index.ts'
import type { ContainerStats, RuntimeStatus } from '../../contract/areas/servers.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { PlayerCount, ServerRef } from '../../contract/bridge/values.ts'
import { amendInList, amendServer, changeServer } from './in-list.ts'
import type { ViewStore } from './cache/view-store.ts'
import type { ServerNews } from '../console/consoles.ts'
import type { Samples } from '../console/samples.ts'
import type { StatusReading } from './status-overlay.ts'
import { sameStatus, type Statuses } from './statuses.ts'
import type { Broadcast } from '../base/windows.ts'

const readIds = operations.filter(({ kind }) => kind === 'read').map(({ id }) => id as ReadId)

export interface LiveEventsPorts {
  views: ViewStore
  samples: Samples
  statuses: Statuses
  broadcast: Broadcast
}

export class LiveEvents implements ServerNews {
  readonly #ports: LiveEventsPorts

  constructor(ports: LiveEventsPorts) {
    this.#ports = ports
  }

  onStatus(server: ServerRef, status: RuntimeStatus): void {
    const { views, statuses } = this.#ports
    statuses.told(server, status)
    void views.put(statusOf(server), status)
    changeServer(views, server, this.#noted(server, status))
  }

  onPlayers(server: ServerRef, { online, max }: PlayerCount): void {
    const { views } = this.#ports
    this.#counted(server, online)
    const players = { online, max }
    void views.change(statusOf(server), (value) => ({ ...value, players }))
    changeServer(views, server, { players })
  }

  /** Ignores reads unknown to this version of the contract. */
  onChanged({ connectionId, serverId }: ServerRef, reads: readonly string[]): void {
    const old = readIds.filter((id) => reads.includes(id))
    if (old.length > 0) void this.#ports.views.markStale(old, connectionId, serverId)
  }

  onStats(server: ServerRef, stats: ContainerStats): void {
    const { samples, broadcast } = this.#ports
    this.onNoStats(server, null)
    const reading = { cpu: stats.cpuPercent ?? null, memory: stats.memoryBytes ?? null }
    broadcast('sample', { ...server, sample: samples.add(server, reading) })
  }

  onNoStats(server: ServerRef, problem: Problem | null): void {
    const { samples, broadcast } = this.#ports
    if (samples.missing(server, problem)) broadcast('statistics', { ...server, problem })
  }

  /** Copies a status that was read into the other views. */
  onRead({ server, told, by }: StatusReading): void {
    const { views } = this.#ports
    const part = this.#noted(server, told)
    if (by !== 'servers.status')
      void views.amend(statusOf(server), (now) => (sameStatus(now.status, told.status) ? now : told))
    if (by !== 'servers.read') amendServer(views, server, part)
    if (by !== 'servers.list') amendInList(views, server, part)
  }

  #noted(server: ServerRef, { status, players }: StatusReading['told']) {
    const { views, samples, broadcast } = this.#ports
    const mark = samples.status(server, typeof status === 'string' ? status : status.raw)
    if (mark) {
      broadcast('mark', { ...server, mark })
      void views.markStale(eventStale.status, server.connectionId, server.serverId)
    }
    // The player count is only valid while the server is online.
    const now = status === 'online' ? players : null
    if (now) this.#counted(server, now.online)
    return { status, ...(now === undefined ? {} : { players: now }) }
  }

  /** A changed count means that the player list is stale. */
  #counted(server: ServerRef, online: number): void {
    const { views, samples } = this.#ports
    if (samples.players(server, online))
      void views.markStale(eventStale.players, server.connectionId, server.serverId)
  }
}

const statusOf = ({ connectionId, serverId }: ServerRef) =>
  ({ view: 'servers.status', connectionId, params: { serverId } }) as const
