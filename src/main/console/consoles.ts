import { api } from '../../contract/areas/index.ts'
import type { ContainerStats, RuntimeStatus } from '../../contract/areas/servers.ts'
import type { CallOutput } from '../../contract/bridge/calls.ts'
import type { ConsolePiece, FileJob, LiveUpdates, ServerRef } from '../../contract/bridge/values.ts'
import type { Problem } from '../../contract/bridge/problem.ts'
import type { ApiClient } from '../api/client.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { Log } from '../logging/log.ts'
import type { PollingInterval } from './polling.ts'
import type { WindowLink } from '../base/windows.ts'
import { LiveStream } from './live-stream.ts'
import { newestLines } from './pager.ts'
import { FloodedWindows, Watcher } from './watcher.ts'

export interface ServerNews {
  onStatus(server: ServerRef, status: RuntimeStatus): void
  onStats(server: ServerRef, stats: ContainerStats): void
  onNoStats(server: ServerRef, problem: Problem | null): void
  onPlayers(server: ServerRef, players: { online: number; max?: number | null }): void
  onChanged(server: ServerRef, reads: readonly string[]): void
}

export interface ConsolesPorts {
  cache: Cache
  client: (connectionId: string) => ApiClient
  knownServers: (connectionId: string) => string[]
  shown: (connectionId: string) => string[]
  readStatus: (server: ServerRef) => Promise<Problem | null>
  isOnline: (server: ServerRef) => boolean
  news: ServerNews
  onJob: (server: ServerRef, job: FileJob) => void
  onLive: (connectionId: string, now: LiveUpdates) => void
  onGone: (connectionId: string) => void
  pace: Pick<PollingInterval, 'times'>
  log: Log
}

const CLOSED: LiveUpdates = { state: 'offline', asked: null }

export class Consoles {
  readonly #streams = new Map<string, LiveStream>()
  readonly #watchers = new Set<Watcher>()
  readonly #crowd = new FloodedWindows()
  readonly #ports: ConsolesPorts

  constructor(ports: ConsolesPorts) {
    this.#ports = ports
  }

  open(connectionId: string): void {
    if (this.#streams.has(connectionId)) return
    const ports = this.#ports
    const of = (serverId: string): ServerRef => ({ connectionId, serverId })
    const stream = new LiveStream({
      connectionId,
      client: () => ports.client(connectionId),
      pace: ports.pace,
      cache: ports.cache,
      servers: () => ports.knownServers(connectionId),
      watched: () => [...new Set(this.#of(connectionId).map((watcher) => watcher.server.serverId))],
      shown: () => ports.shown(connectionId),
      readStatus: (serverId) => ports.readStatus(of(serverId)),
      isOnline: (serverId) => ports.isOnline(of(serverId)),
      onPieces: (serverId, pieces) => this.#send(of(serverId), pieces),
      onHistory: (serverId, history) => {
        for (const watcher of this.#watchers) if (isOf(watcher, of(serverId))) watcher.history(history)
      },
      onStatus: (serverId, status) => ports.news.onStatus(of(serverId), status),
      onStats: (serverId, stats) => ports.news.onStats(of(serverId), stats),
      onNoStats: (serverId, problem) => ports.news.onNoStats(of(serverId), problem),
      onPlayers: (serverId, players) => ports.news.onPlayers(of(serverId), players),
      onChanged: (serverId, reads) => ports.news.onChanged(of(serverId), reads),
      onJob: (serverId, job) => ports.onJob(of(serverId), job),
      onGone: () => ports.onGone(connectionId),
      onLive: (now) => {
        ports.onLive(connectionId, now)
        for (const watcher of this.#of(connectionId)) watcher.state(now.state)
      },
      log: ports.log,
    })
    this.#streams.set(connectionId, stream)
  }

  /** Signed out or unreachable. Watchers stay and are told. */
  close(connectionId: string): void {
    this.#streams.get(connectionId)?.stop()
    this.#streams.delete(connectionId)
    this.#ports.onLive(connectionId, CLOSED)
    for (const watcher of this.#of(connectionId)) watcher.state('offline')
  }

  live(connectionId: string): LiveUpdates {
    return this.#streams.get(connectionId)?.now ?? CLOSED
  }

  hurry(connectionId: string): void {
    this.#streams.get(connectionId)?.hurry()
  }

  /** The server list changed, or the connection is reachable again. */
  reconnect(connectionId: string): void {
    this.#streams.get(connectionId)?.restart()
  }

  /** After a wake-up, connections that look open may be dead. */
  reconnectAll(): void {
    for (const stream of this.#streams.values()) stream.restart()
  }

  async watch(
    window: WindowLink,
    server: ServerRef,
    limit: number,
    after?: string,
  ): Promise<CallOutput<'console.watch'>> {
    // Watching again means asking the service again, even for what it did not offer.
    const again = this.unwatch(window, server)
    const isNew = !this.#of(server.connectionId).some(
      (watcher) => watcher.server.serverId === server.serverId,
    )
    const watcher = new Watcher(window, server, this.#crowd)
    this.#watchers.add(watcher)
    const stream = this.#streams.get(server.connectionId)
    const lines = await newestLines(this.#ports.cache, server, limit, after)
    if (again) this.#ports.client(server.connectionId).offered.askAgain(api.console.history.id)
    if (isNew || again) stream?.restart()
    const pieces = watcher.primed(lines)
    const history = stream?.history(server.serverId) ?? { read: false, problem: null }
    return { watch: watcher.id, state: stream?.state ?? 'offline', history, pieces }
  }

  /** Returns true if something was watched. */
  unwatch(window: WindowLink, server?: ServerRef): boolean {
    const before = this.#watchers.size
    for (const watcher of this.#watchers) {
      if (watcher.window !== window) continue
      if (server && !isOf(watcher, server)) continue
      watcher.end()
      // The stream keeps sending this console's lines until it reconnects: cheaper than reconnecting.
      this.#watchers.delete(watcher)
    }
    return this.#watchers.size < before
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
