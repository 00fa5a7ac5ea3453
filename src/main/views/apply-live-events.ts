import { eventStale } from '../../contract/areas/console.ts'
import { operations, type ReadId } from '../../contract/areas/index.ts'
import type { ContainerStats, RuntimeStatus } from '../../contract/areas/servers.ts'
import type { NamedView } from '../../contract/bridge/passed.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { PlayerCount, ServerRef } from '../../contract/bridge/values.ts'
import type { ViewStore } from './cache/view-store.ts'
import type { ServerNews } from '../console/consoles.ts'
import type { ServerTable, StatusChange, StatusView } from './server-table.ts'
import type { Broadcast } from '../base/windows.ts'

const readIds = operations.filter(({ kind }) => kind === 'read').map(({ id }) => id as ReadId)

export interface LiveEventsPorts {
  views: ViewStore
  servers: ServerTable
  broadcast: Broadcast
  /** After a status or a player count arrived. */
  changed?: (server: ServerRef) => void
}

export class LiveEvents implements ServerNews {
  readonly #ports: LiveEventsPorts

  constructor(ports: LiveEventsPorts) {
    this.#ports = ports
  }

  onStatus(server: ServerRef, status: RuntimeStatus): void {
    const { views, servers } = this.#ports
    const change = servers.setStatus(server, status)
    void views.put(viewOf('servers.status', server), status)
    this.#changed(server, change, 'servers.status', true)
  }

  onPlayers(server: ServerRef, { online, max }: PlayerCount): void {
    this.#changed(server, this.#ports.servers.setPlayers(server, { online, max }), null, true)
  }

  /** Ignores reads unknown to this version of the contract. */
  onChanged({ connectionId, serverId }: ServerRef, reads: readonly string[]): void {
    const old = readIds.filter((id) => reads.includes(id))
    if (old.length > 0) void this.#ports.views.markStale(old, connectionId, serverId)
  }

  onStats(server: ServerRef, stats: ContainerStats): void {
    const { servers, broadcast } = this.#ports
    this.onNoStats(server, null)
    broadcast('sample', { ...server, sample: servers.addSample(server, stats) })
  }

  onNoStats(server: ServerRef, problem: Problem | null): void {
    const { servers, broadcast } = this.#ports
    if (servers.setProblem(server, problem)) broadcast('statistics', { ...server, problem })
  }

  onRead(server: ServerRef, change: StatusChange, by: StatusView): void {
    this.#changed(server, change, by, false)
  }

  /** `by` is the view that shows it anyway. */
  #changed(server: ServerRef, change: StatusChange, by: StatusView | null, isStored: boolean): void {
    const { views, broadcast } = this.#ports
    const { connectionId, serverId } = server
    const { mark, isCountNew } = change
    if (mark) {
      broadcast('mark', { ...server, mark })
      void views.markStale(eventStale.status, connectionId, serverId)
    }
    // A changed count means that the player list is stale.
    if (isCountNew) void views.markStale(eventStale.players, connectionId, serverId)
    for (const view of ['servers.status', 'servers.read', 'servers.list'] as const)
      if (view !== by) void views.rejoin(viewOf(view, server), isStored)
    this.#ports.changed?.(server)
  }
}

const viewOf = <V extends StatusView>(view: V, { connectionId, serverId }: ServerRef) =>
  ({ view, connectionId, ...(view !== 'servers.list' && { params: { serverId } }) }) as NamedView<V>
