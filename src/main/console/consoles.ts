import type { ContainerStats, RuntimeStatus } from '../../contract/areas/servers.ts'
import type {
  ConsolePiece,
  ConsoleState,
  FileJob,
  LineBatch,
  ServerRef,
} from '../../contract/bridge/values.ts'
import type { ApiClient } from '../api/client.ts'
import type { Cache } from '../cache/cache.ts'
import type { Log } from '../logging/log.ts'
import type { WindowLink } from '../window-link.ts'
import { LiveStream } from './live-stream.ts'
import { Watcher } from './watcher.ts'

export interface ConsolesPorts {
  cache: Cache
  client: (connectionId: string) => ApiClient
  /** Ids of the servers a connection is known to have. */
  knownServers: (connectionId: string) => string[]
  onStatus: (server: ServerRef, status: RuntimeStatus) => void
  onStats: (server: ServerRef, stats: ContainerStats) => void
  onPlayers: (server: ServerRef, players: { online: number; max?: number | null }) => void
  onJob: (server: ServerRef, job: FileJob) => void
  /** A server of the connection is gone, and nobody said which. */
  onGone: (connectionId: string) => void
  log: Log
}

/** All live streams and the windows that watch consoles. */
export class Consoles {
  readonly #streams = new Map<string, LiveStream>()
  readonly #watchers = new Set<Watcher>()
  readonly #ports: ConsolesPorts

  constructor(ports: ConsolesPorts) {
    this.#ports = ports
  }

  /** Opens the stream of a connection that can be used now. Does nothing where it is open. */
  open(connectionId: string): void {
    if (this.#streams.has(connectionId)) return
    const { cache, client, knownServers, onStatus, onStats, onPlayers, onJob, onGone, log } = this.#ports
    const of = (serverId: string): ServerRef => ({ connectionId, serverId })
    const stream = new LiveStream({
      connectionId,
      client: () => client(connectionId),
      cache,
      servers: () => knownServers(connectionId),
      watched: () => [...new Set(this.#of(connectionId).map((watcher) => watcher.server.serverId))],
      onPieces: (serverId, pieces) => this.#send(of(serverId), pieces),
      onStatus: (serverId, status) => onStatus(of(serverId), status),
      onStats: (serverId, stats) => onStats(of(serverId), stats),
      onPlayers: (serverId, players) => onPlayers(of(serverId), players),
      onJob: (serverId, job) => onJob(of(serverId), job),
      onGone: () => onGone(connectionId),
      onState: (state) => this.#of(connectionId).forEach((watcher) => watcher.state(state)),
      log,
    })
    this.#streams.set(connectionId, stream)
  }

  /** Closes the stream of a connection: signed out, or its service is gone. Watchers stay and are told. */
  close(connectionId: string): void {
    this.#streams.get(connectionId)?.stop()
    this.#streams.delete(connectionId)
    for (const watcher of this.#of(connectionId)) watcher.state('offline')
  }

  /** The servers of a connection changed, or it can be reached again. */
  reconnect(connectionId: string): void {
    this.#streams.get(connectionId)?.restart()
  }

  /** The computer woke up: what looks connected may be long gone. */
  reconnectAll(): void {
    for (const stream of this.#streams.values()) stream.restart()
  }

  /** Begins the flow of a console to a window; answers the newest lines the archive holds. */
  async watch(
    window: WindowLink,
    server: ServerRef,
    limit: number,
  ): Promise<{ state: ConsoleState; pieces: ConsolePiece[] }> {
    this.unwatch(window, server)
    const isNew = !this.#of(server.connectionId).some(
      (watcher) => watcher.server.serverId === server.serverId,
    )
    const watcher = new Watcher(window, server, this.#ports.cache)
    this.#watchers.add(watcher)
    const stream = this.#streams.get(server.connectionId)
    const lines: LineBatch[] =
      limit === 0
        ? []
        : await this.#ports.cache.linesBefore(server.connectionId, server.serverId, null, limit)
    if (isNew) stream?.restart()
    const pieces = watcher.primed(lines.map((batch) => ({ kind: 'lines', batch })))
    return { state: stream?.state ?? 'offline', pieces }
  }

  unwatch(window: WindowLink, server?: ServerRef): void {
    for (const watcher of this.#watchers) {
      if (watcher.window !== window) continue
      if (server && !isOf(watcher, server)) continue
      watcher.end()
      // The stream goes on with the lines of this console until it connects anew: less than a reconnect costs.
      this.#watchers.delete(watcher)
    }
  }

  stop(): void {
    for (const stream of this.#streams.values()) stream.stop()
    this.#streams.clear()
  }

  #of(connectionId: string): Watcher[] {
    return [...this.#watchers].filter((watcher) => watcher.server.connectionId === connectionId)
  }

  #send(server: ServerRef, pieces: ConsolePiece[]): void {
    for (const watcher of this.#watchers)
      if (isOf(watcher, server)) for (const piece of pieces) watcher.take(piece)
  }
}

const isOf = (watcher: Watcher, server: ServerRef) =>
  watcher.server.serverId === server.serverId && watcher.server.connectionId === server.connectionId
