import type { RuntimeStatus, Server } from '../contract/areas/servers.ts'
import type { NamedView } from '../contract/bridge/passed.ts'
import type { ListValue, ServerRef } from '../contract/bridge/values.ts'
import type { ReadValue, ViewSource } from './cache/view-source.ts'
import { sameStatus, type Statuses } from './statuses.ts'

/** A status that a read told, and that is the newest there is. */
export interface StatusRead {
  server: ServerRef
  told: Pick<RuntimeStatus, 'status'> & Partial<Pick<RuntimeStatus, 'players'>>
  /** What told it: the read of the status itself, or one of a server or a list. */
  by: 'status' | 'server'
  /** Whether another one stood before. */
  differs: boolean
}

/** Reads views such that all that tell a status tell the same one, and says what a read told of it. */
export class StatusReads implements ViewSource {
  readonly #of: ViewSource
  readonly #statuses: Statuses
  readonly #listeners: ((read: StatusRead) => void)[] = []

  constructor(of: ViewSource, statuses: Statuses) {
    this.#of = of
    this.#statuses = statuses
  }

  onStatus(listener: (read: StatusRead) => void): void {
    this.#listeners.push(listener)
  }

  async read(named: NamedView): Promise<ReadValue> {
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

  #taken({ view, connectionId, params }: NamedView, value: unknown, since: number): unknown {
    switch (view) {
      case 'servers.list': {
        const list = value as ListValue<Server>
        return { ...list, items: list.items.map((one) => this.#ofServer(connectionId, one, since)) }
      }
      case 'servers.read':
        return this.#ofServer(connectionId, value as Server, since)
      case 'servers.status': {
        const server = { connectionId, serverId: params?.['serverId'] ?? '' }
        const told = value as RuntimeStatus
        // What the stream told meanwhile is newer, and has changed the view already.
        if (this.#statuses.read(server, told, since))
          this.#tell({ server, told, by: 'status', differs: false })
        return value
      }
      default:
        return value
    }
  }

  /** Takes the status that a read of a server or a list tells; answers the server as it stands. */
  #ofServer(connectionId: string, server: Server, since: number): Server {
    const ref = { connectionId, serverId: server.id }
    const before = this.#statuses.of(ref)
    // A word that nobody knows does not stand against one that was told and is known.
    const isWord = typeof server.status === 'string' || typeof before?.status !== 'string'
    const { status, players } = server
    if (!status || !isWord || !this.#statuses.read(ref, { status, players }, since))
      return this.#statuses.fill(connectionId, server)
    const differs = before !== null && !sameStatus(before.status, status)
    this.#tell({ server: ref, told: { status, players }, by: 'server', differs })
    return server
  }

  #tell(read: StatusRead): void {
    for (const listener of this.#listeners) listener(read)
  }
}
