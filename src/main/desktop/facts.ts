import type { Notification, NotificationSettings } from '../../contract/areas/notifications.ts'
import type { EventName, Events } from '../../contract/bridge/events.ts'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import type { PowerWarning } from '../../contract/rules/power.ts'
import type { Connection, Server, View } from '../../contract/bridge/values.ts'

export interface PlayersEvent {
  kind: 'joined' | 'left'
  connectionId: string
  server: Server
  /** How many joined or left, and how many are on now. */
  count: number
  online: number
  /** If it was one, and is known. */
  player?: string | null
}

export type DesktopEvent =
  | { kind: 'told'; connectionId: string; notification: Notification }
  | { kind: 'crashed'; connectionId: string; server: Server }
  | { kind: 'online'; connectionId: string; server: Server }
  | PlayersEvent
  | { kind: 'transfer'; transfer: Transfer }

interface ServerListSnapshot {
  servers: readonly Server[]
  /** The list was read in this run, so later changes are news. */
  isOfNow: boolean
}

const RUNNING: ReadonlySet<unknown> = new Set(['starting', 'online', 'stopping'])
const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled'])

export class Facts {
  connections: readonly Connection[] = []
  playersOn: PowerWarning = 'ask'
  readonly #servers = new Map<string, ServerListSnapshot>()
  readonly #unread = new Map<string, number>()
  readonly #rules = new Map<string, NotificationSettings>()
  #transfers: ReadonlyMap<string, string> | null = null

  serversOf(connectionId: string): readonly Server[] {
    return this.#servers.get(connectionId)?.servers ?? []
  }

  rulesOf(connectionId: string): NotificationSettings | null {
    return this.#rules.get(connectionId) ?? null
  }

  get unread(): number {
    return [...this.#unread.values()].reduce((sum, count) => sum + count, 0)
  }

  take<E extends EventName>(event: E, value: Events[E]): DesktopEvent[] {
    switch (event) {
      case 'connections':
        this.#keepOf(value as Events['connections'])
        return []
      case 'view': {
        const { view, connectionId, now } = value as Events['view']
        return this.takeView(view, connectionId, now)
      }
      case 'notification': {
        const { connectionId, notification } = value as Events['notification']
        return [{ kind: 'told', connectionId, notification }]
      }
      case 'transfers':
        return this.takeTransfers((value as Events['transfers']).items)
      default:
        return []
    }
  }

  takeView(view: string, connectionId: string, { value, stale }: View<unknown>): DesktopEvent[] {
    if (value === null || !this.connections.some(({ id }) => id === connectionId)) return []
    switch (view) {
      case 'servers.list':
        return this.#takeServers(connectionId, (value as { items: Server[] }).items, !stale)
      case 'notifications.list': {
        const { items } = value as { items: Notification[] }
        this.#unread.set(connectionId, items.filter(({ readAt, read }) => !readAt && !read).length)
        return []
      }
      case 'notifications.settings':
        this.#rules.set(connectionId, value as NotificationSettings)
        return []
      default:
        return []
    }
  }

  takeTransfers(items: readonly Transfer[]): DesktopEvent[] {
    const before = this.#transfers
    this.#transfers = new Map(items.map(({ id, state }) => [id, state]))
    if (!before) return []
    return items
      .filter(
        ({ id, state }) => state !== 'cancelled' && ENDED.has(state) && !ENDED.has(before.get(id) ?? ''),
      )
      .map((transfer) => ({ kind: 'transfer', transfer }))
  }

  #takeServers(connectionId: string, servers: readonly Server[], isRead: boolean): DesktopEvent[] {
    const known = this.#servers.get(connectionId)
    this.#servers.set(connectionId, { servers, isOfNow: isRead || (known?.isOfNow ?? false) })
    if (!known?.isOfNow) return []
    const before = new Map(known.servers.map((server) => [server.id, server]))
    return servers.flatMap((server): DesktopEvent[] => {
      const was = before.get(server.id)
      if (!was) return []
      if (server.status === 'crashed' && RUNNING.has(was.status))
        return [{ kind: 'crashed', connectionId, server }]
      if (server.status === 'online' && was.status === 'starting')
        return [{ kind: 'online', connectionId, server }]
      const online = server.players?.online ?? 0
      const isOn = server.status === 'online' && was.status === 'online'
      const came = isOn && was.players && server.players ? online - was.players.online : 0
      const kind = came > 0 ? 'joined' : 'left'
      return came === 0 ? [] : [{ kind, connectionId, server, count: Math.abs(came), online }]
    })
  }

  #keepOf(connections: readonly Connection[]): void {
    this.connections = connections
    const ids = new Set(connections.map(({ id }) => id))
    for (const kept of [this.#servers, this.#unread, this.#rules])
      for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id)
  }
}
