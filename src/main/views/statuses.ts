import type { RuntimeStatus, Server } from '../../contract/areas/servers.ts'
import type { ServerRef } from '../../contract/bridge/values.ts'
import { evictRemovedServers } from '../base/evict-removed-servers.ts'

type Told = Pick<RuntimeStatus, 'status'> & Pick<Partial<RuntimeStatus>, 'players'>

/**
 * The status of every server as it was told last, by whichever source: the stream, the read of the status, of the server
 * or of the list. So all that shows a status shows the same one.
 */
export class Statuses {
  readonly #known = new Map<string, { told: Told; turn: number }>()
  #turn = 0

  /** To be called before something is read that tells a status: what is told meanwhile is newer than the answer. */
  begin(): number {
    return this.#turn
  }

  of(server: ServerRef): Told | null {
    return this.#known.get(keyOf(server))?.told ?? null
  }

  /** Takes what was told just now. */
  told(server: ServerRef, told: Told): void {
    this.#known.set(keyOf(server), { told, turn: ++this.#turn })
  }

  /** Takes what a read that began at `since` has answered. False where something newer was told meanwhile. */
  read(server: ServerRef, told: Told, since: number): boolean {
    if ((this.#known.get(keyOf(server))?.turn ?? 0) > since) return false
    this.told(server, told)
    return true
  }

  /**
   * What a read answered of a server or its status, with the status that was told last, where its own is missing or older.
   *
   * @param isOlder whether the rest of what was answered is older too
   */
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

  /** Lets go of servers that a connection no longer has, but for a few. */
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

/** Whether two statuses are the same; one that nobody knows is compared by its word. */
export function sameStatus(a: Server['status'], b: Server['status']): boolean {
  const word = (status: Server['status']) => (typeof status === 'object' ? status?.raw : status)
  return word(a) === word(b)
}
