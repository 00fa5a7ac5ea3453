import type { ViewEvent } from '../../contract/bridge/events.ts'

/** A stream's list of servers is fixed when it connects, so changes are announced. */
export class KnownServers {
  readonly #ids = new Map<string, string[]>()
  readonly #listeners: ((connectionId: string) => void)[] = []

  of(connectionId: string): string[] {
    return this.#ids.get(connectionId) ?? []
  }

  lacks(connectionId: string, serverId: string): boolean {
    return this.#ids.get(connectionId)?.includes(serverId) === false
  }

  onChange(listener: (connectionId: string) => void): void {
    this.#listeners.push(listener)
  }

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
