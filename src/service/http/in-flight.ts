import type { HttpBindings } from '@hono/node-server'

interface Request {
  /** Throws where it may not be asked any more. */
  checkAgain: () => void
  env: HttpBindings
}

/** Requests about servers that are being received or answered now. */
export class InFlight {
  readonly #ofServer = new Map<string, Set<Request>>()

  /** Keeps a request until its answer is over. Without a listener, as in a test, there is nothing to keep. */
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

  /** The same of all servers: who was signed in may not be any more. */
  recheckAll(): void {
    for (const serverId of [...this.#ofServer.keys()]) this.recheck(serverId)
  }

  /**
   * What somebody holds at a server is not what it was: whoever sends to it, or is being sent something of it, and may not
   * any more, is cut off. What is neither yet is checked again before it is answered.
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
