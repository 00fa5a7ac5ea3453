import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { NamedView } from '../../contract/bridge/passed.ts'
import type { ListValue, ServerRef } from '../../contract/bridge/values.ts'
import type { TaggedValue, ViewSource } from './cache/view-source.ts'
import { sameStatus, type Statuses } from './statuses.ts'

/** The newest status, from a read. */
export interface StatusReading {
  server: ServerRef
  told: Pick<RuntimeStatus, 'status'> & Partial<Pick<RuntimeStatus, 'players'>>
  /** The view that already contains it. */
  by: 'servers.status' | 'servers.read' | 'servers.list'
}

/** Makes all views show the same status, and reports statuses that were read. */
export class StatusOverlay implements ViewSource {
  readonly #of: ViewSource
  readonly #statuses: Statuses
  readonly #listeners: ((read: StatusReading) => void)[] = []

  constructor(of: ViewSource, statuses: Statuses) {
    this.#of = of
    this.#statuses = statuses
  }

  onStatus(listener: (read: StatusReading) => void): void {
    this.#listeners.push(listener)
  }

  async read(named: NamedView): Promise<TaggedValue> {
    const since = this.#statuses.begin()
    const { value, tag } = await this.#of.read(named)
    return { value: this.#taken(named, value, since), tag }
  }

  madeOf(...asked: Parameters<ViewSource['madeOf']>) {
    return this.#of.madeOf(...asked)
  }

  askAgain(named: NamedView): void {
    this.#of.askAgain(named)
  }

  isShaped(...asked: Parameters<ViewSource['isShaped']>): boolean {
    return this.#of.isShaped(...asked)
  }

  newest({ view, connectionId, params }: NamedView, value: unknown): unknown {
    const fill = (server: Server) => this.#statuses.fill({ connectionId, serverId: server.id }, server)
    switch (view) {
      case 'servers.list': {
        const list = value as ListValue<Server>
        return { ...list, items: list.items.map(fill) }
      }
      case 'servers.read':
        return fill(value as Server)
      case 'servers.status':
        return this.#ofStatus({ connectionId, serverId: params?.['serverId'] ?? '' }, value as RuntimeStatus)
      default:
        return value
    }
  }

  #taken({ view, connectionId, params }: NamedView, value: unknown, since: number): unknown {
    switch (view) {
      case 'servers.list': {
        const list = value as ListValue<Server>
        return { ...list, items: list.items.map((one) => this.#ofServer(connectionId, one, since, view)) }
      }
      case 'servers.read':
        return this.#ofServer(connectionId, value as Server, since, view)
      case 'servers.status': {
        const server = { connectionId, serverId: params?.['serverId'] ?? '' }
        const told = value as RuntimeStatus
        if (!this.#statuses.read(server, told, since)) return this.#ofStatus(server, told)
        this.#tell({ server, told, by: view })
        return value
      }
      default:
        return value
    }
  }

  /** Replaces an outdated status; its start time and reason no longer apply. */
  #ofStatus(server: ServerRef, older: RuntimeStatus): RuntimeStatus {
    const known = this.#statuses.of(server)
    return !known || sameStatus(known.status, older.status) ? older : { ...known }
  }

  #ofServer(
    connectionId: string,
    server: Server,
    since: number,
    by: 'servers.read' | 'servers.list',
  ): Server {
    const ref = { connectionId, serverId: server.id }
    const before = this.#statuses.of(ref)
    const { status, players } = server
    // An unknown word doesn't replace a known status.
    const isWord = typeof status === 'string' || typeof before?.status !== 'string'
    if (!status || !isWord) return this.#statuses.fill(ref, server)
    // If the answer doesn't mention players, keep the last count.
    const told = players ? { status, players } : { status }
    if (!this.#statuses.read(ref, told, since)) return this.#statuses.fill(ref, server, true)
    this.#tell({ server: ref, told, by })
    return server
  }

  #tell(read: StatusReading): void {
    for (const listener of this.#listeners) listener(read)
  }
}
