import type { HttpBindings } from '@hono/node-server'

interface Request {
  /** Throws if the caller has lost access. */
  checkAgain: () => void
  env: HttpBindings
}

export class InFlight {
  readonly #ofServer = new Map<string, Set<Request>>()

  /** Tracks a request until it is answered. Does nothing without a listener, as in tests. */
  begin(serverId: string, request: { checkAgain: () => void; env: Partial<HttpBindings> }): void {
    const { incoming, outgoing } = request.env
    if (!incoming || !outgoing || outgoing.destroyed) return
    const kept: Request = { checkAgain: request.checkAgain, env: { incoming, outgoing } }
    const all = this.#ofServer.get(serverId) ?? new Set()
    this.#ofServer.set(serverId, all.add(kept))
    outgoing.once('close', () => {
      all.delete(kept)
      if (all.size === 0) this.#ofServer.delete(serverId)
    })
  }

  recheckAll(): void {
    for (const serverId of [...this.#ofServer.keys()]) this.recheck(serverId)
  }

  /**
   * Call after access to a server changed: cuts off everyone still sending or receiving who lost access. Other
   * requests are checked again before they are answered.
   */
  recheck(serverId: string): void {
    for (const { checkAgain, env } of [...(this.#ofServer.get(serverId) ?? [])]) {
      const { incoming, outgoing } = env
      const sends = !incoming.complete || (outgoing.headersSent && !outgoing.writableEnded)
      if (!sends) continue
      try {
        checkAgain()
      } catch {
        incoming.socket.destroy()
      }
    }
  }
}
