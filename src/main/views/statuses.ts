import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { ServerRef } from '../../contract/bridge/values.ts'
import { evictRemovedServers } from '../base/evict-removed-servers.ts'

type StatusUpdate = Pick<RuntimeStatus, 'status'> & Pick<Partial<RuntimeStatus>, 'players'>

/** The latest status per server from any source (stream or reads), so that all views agree. */
export class Statuses {
  readonly #known = new Map<string, { told: StatusUpdate; turn: number }>()
  #turn = 0

  /** Call before reading a status: anything received meanwhile is newer than the answer. */
  begin(): number {
    return this.#turn
  }

  of(server: ServerRef): StatusUpdate | null {
    return this.#known.get(keyOf(server))?.told ?? null
  }

  told(server: ServerRef, told: StatusUpdate): void {
    this.#known.set(keyOf(server), { told, turn: ++this.#turn })
  }

  /** Records the answer of a read begun at `since`. False if something newer has arrived. */
  read(server: ServerRef, told: StatusUpdate, since: number): boolean {
    if ((this.#known.get(keyOf(server))?.turn ?? 0) > since) return false
    this.told(server, told)
    return true
  }

  /** Fills in the latest status; `isOlder`: the rest of the value is outdated, too. */
  fill<S extends Partial<Pick<Server, 'status' | 'players'>>>(
    server: ServerRef,
    value: S,
    isOlder = false,
  ): S {
    const known = this.of(server)
    if (!known || (!isOlder && sameStatus(known.status, value.status))) return value
    const players = known.status === 'online' ? (known.players ?? value.players) : null
    return { ...value, status: known.status, players }
  }

  keepFewGone(connectionId: string, serverIds: ReadonlySet<string>): void {
    evictRemovedServers(this.#known, connectionId, serverIds)
  }

  forget(connectionId: string, serverId?: string): void {
    for (const key of [...this.#known.keys()])
      if (
        serverId === undefined
          ? key.startsWith(`${connectionId}\n`)
          : key === keyOf({ connectionId, serverId })
      )
        this.#known.delete(key)
  }
}

const keyOf = ({ connectionId, serverId }: ServerRef): string => `${connectionId}\n${serverId}`

export function sameStatus(a: Server['status'], b: Server['status']): boolean {
  const word = (status: Server['status']) => (typeof status === 'object' ? status?.raw : status)
  return word(a) === word(b)
}
