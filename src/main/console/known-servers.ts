import type { ViewEvent } from '../../contract/bridge/events.ts'

/** The servers that each connection is known to have: a stream's list is fixed when it connects. */
export class KnownServers {
  readonly #ids = new Map<string, string[]>()
  readonly #listeners: ((connectionId: string) => void)[] = []

  /** Ids of a connection's servers. */
  of(connectionId: string): string[] {
    return this.#ids.get(connectionId) ?? []
  }

  /** Whether a connection has listed its servers, and not this one. */
  lacks(connectionId: string, serverId: string): boolean {
    return this.#ids.get(connectionId)?.includes(serverId) === false
  }

  /** `listener` is told of a connection whose servers changed: its stream needs to connect anew. */
  onChange(listener: (connectionId: string) => void): void {
    this.#listeners.push(listener)
  }

  /** Takes what a view shows now, where that is a list of servers. */
  seen(event: ViewEvent): void {
    if (event.view !== 'servers.list' || !event.now.value) return
    const { connectionId } = event
    const ids = event.now.value.items.map((server) => server.id)
    const before = this.#ids.get(connectionId)
    if (before?.join() === ids.join()) return
    this.#ids.set(connectionId, ids)
    if (before || ids.length > 0) for (const listener of this.#listeners) listener(connectionId)
  }

  forget(connectionId: string): void {
    this.#ids.delete(connectionId)
  }
}
