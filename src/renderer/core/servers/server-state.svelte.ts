import type {
  Connection,
  PlayerCount,
  RuntimeStatus,
  Server,
  ServerStatus,
} from '../../../contract/bridge/values.ts'
import { isStopped } from '../../../contract/rules/power.ts'
import { panel } from '../panel.svelte.ts'
import type { ProblemData } from '../bridge.ts'
import { LiveView } from '../live-view.svelte.ts'
import { isRunning, statusKind, type StatusKind } from './status.ts'

/** A server as its page needs it: from the list at first, then from its own views. */
export class ServerState {
  readonly connectionId: string
  readonly serverId: string
  #own: LiveView<'servers.read'>
  #status: LiveView<'servers.status'>

  constructor(connectionId: string, serverId: string) {
    this.connectionId = connectionId
    this.serverId = serverId
    this.#own = new LiveView('servers.read', { connectionId, params: { serverId } })
    this.#status = new LiveView('servers.status', { connectionId, params: { serverId } })
  }

  get connection(): Connection | null {
    return panel.connection(this.connectionId)
  }

  get reach(): Connection['state']['kind'] {
    return panel.reach(this.connectionId)
  }

  get server(): Server | null {
    return this.#own.value ?? panel.server(this.connectionId, this.serverId)
  }

  /** Whether `server` is what the service says now. */
  get isFresh(): boolean {
    return this.#own.kind === 'shown'
  }

  get status(): ServerStatus | null | undefined {
    return this.#status.value?.status ?? this.server?.status
  }

  get kind(): StatusKind {
    return statusKind(this.status)
  }

  get players(): PlayerCount | null | undefined {
    return this.#status.value?.players ?? this.server?.players
  }

  /** False while the service is unreachable. */
  get isOnline(): boolean {
    return this.kind === 'online' && this.reach === 'ready'
  }

  /** Whether its process runs, and may write files. */
  get isRunning(): boolean {
    return isRunning(this.status) && this.reach === 'ready'
  }

  /** When the status was read (ISO 8601). */
  get asOf(): string | null {
    return this.#status.value ? this.#status.asOf : panel.servers(this.connectionId).asOf
  }

  get since(): string | null {
    return this.#status.value?.since ?? null
  }

  /** Whether the service says since when, as far as is known. */
  get hasSince(): boolean {
    return this.#status.value === null || this.since !== null
  }

  /** The one it runs on, of several. */
  get node(): RuntimeStatus['node'] | null {
    return this.#status.value?.node ?? null
  }

  get installation(): RuntimeStatus['installation'] | null {
    return this.kind === 'installing' ? (this.#status.value?.installation ?? null) : null
  }

  get failure(): RuntimeStatus['failure'] | null {
    return isStopped(this.kind) ? (this.#status.value?.failure ?? null) : null
  }

  get cancels(): boolean {
    return this.installation?.cancelable === true
  }

  get exitCode(): number | null {
    return this.#status.value?.exitCode ?? null
  }

  get problem(): ProblemData | null {
    return this.#own.problem
  }

  /** True if the service said that the server does not exist. */
  get gone(): boolean {
    const list = panel.servers(this.connectionId)
    const listed = list.value?.items.some((server) => server.id === this.serverId) ?? false
    return !listed && this.#own.problem?.code === 'not-found'
  }

  get askingAgain(): boolean {
    return this.#own.askingAgain
  }

  /** Refreshes from the service, bypassing main's cache. */
  again(): Promise<unknown> {
    return Promise.all([this.#own.again(), this.#status.again()])
  }
}
