/** A server, or a connection. */
interface AskedPlace {
  connectionId: string
  serverId?: string
}

/** What a view is asked to do before it is shown. It takes it once, and only if it shows that place. */
export class AskedOnce<T> {
  #asked = $state.raw<{ at: AskedPlace; wanted: T } | null>(null)

  /** Call before navigating there. */
  ask(at: AskedPlace, wanted: T): void {
    this.#asked = { at, wanted }
  }

  take({ connectionId, serverId }: AskedPlace): T | null {
    const { at, wanted } = this.#asked ?? {}
    if (wanted === undefined || at?.connectionId !== connectionId || at.serverId !== serverId) return null
    this.#asked = null
    return wanted
  }
}

/** The UUID of a player whose saved state is wanted back from a backup. */
export const askedRestore = new AskedOnce<string>()

/** What a new server is to be made from: a copy of a server (`id`), or the server as it is. */
export interface CopyToMoveIn {
  connectionId: string
  serverId: string
  id?: string
  name: string
}

export const askedMoveIn = new AskedOnce<CopyToMoveIn>()
