import type {
  Connection,
  PlayerCount,
  RuntimeStatus,
  Server,
  ServerStatus,
} from '../../../contract/bridge/values.ts'
import { panel } from '../panel.svelte.ts'
import type { ProblemData } from '../bridge.ts'
import { LiveView } from '../live-view.svelte.ts'
import { isRunning, statusKind, type StatusKind } from './status.ts'

/** A server as its page needs it: what the list knows at once, and what its own views know better. */
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

  /** The status, or undefined while nobody knows it. */
  get status(): ServerStatus | null | undefined {
    return this.#status.value?.status ?? this.server?.status
  }

  get kind(): StatusKind {
    return statusKind(this.status)
  }

  get players(): PlayerCount | null | undefined {
    return this.#status.value?.players ?? this.server?.players
  }

  /** Whether the server is online now; while its service is away nobody knows that. */
  get isOnline(): boolean {
    return this.kind === 'online' && this.reach === 'ready'
  }

  /** Whether its program runs now, and may write its files. */
  get isRunning(): boolean {
    return isRunning(this.kind) && this.reach === 'ready'
  }

  /** When the status and what belongs to it was told (ISO 8601). */
  get asOf(): string | null {
    return this.#status.value ? this.#status.asOf : panel.servers(this.connectionId).asOf
  }

  /** Since when the status holds (ISO 8601), where the service told. */
  get since(): string | null {
    return this.#status.value?.since ?? null
  }

  /** How far its installation is, where the service tells. */
  get installation(): RuntimeStatus['installation'] | null {
    return this.kind === 'installing' ? (this.#status.value?.installation ?? null) : null
  }

  /** What was tried last with it while it was down, and failed. */
  get failure(): RuntimeStatus['failure'] | null {
    return this.kind === 'offline' || this.kind === 'crashed' ? (this.#status.value?.failure ?? null) : null
  }

  /** Whether Stop cancels its installation. */
  get cancels(): boolean {
    return this.installation?.cancelable === true
  }

  /** Exit code of the last run, where it crashed. */
  get exitCode(): number | null {
    return this.#status.value?.exitCode ?? null
  }

  /** Why nothing is known of the server. */
  get problem(): ProblemData | null {
    return this.#own.problem
  }

  /** Whether the service said that there is no such server (any more). */
  get gone(): boolean {
    const list = panel.servers(this.connectionId)
    const listed = list.value?.items.some((server) => server.id === this.serverId) ?? false
    return !listed && this.#own.problem?.code === 'not-found'
  }

  /** Whether the service itself is asked now, because somebody wanted it. */
  get askingAgain(): boolean {
    return this.#own.askingAgain
  }

  /** Asks the service itself again for everything, whatever main remembers of it. */
  again(): Promise<unknown> {
    return Promise.all([this.#own.again(), this.#status.again()])
  }
}
