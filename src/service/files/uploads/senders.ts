/** One request that is being received. */
interface Sender {
  /** Whether it may still send; throws where it may not. */
  checkAgain: () => void
  cut: () => void
  breakOff: () => Promise<void>
}

/** Who sends to which server now, and how each is broken off. */
export class Senders {
  readonly #ofServer = new Map<string, Set<Sender>>()

  /** Keeps how to break a request off for as long as it runs. */
  async sending<T>(
    { serverId, cut, checkAgain }: { serverId: string; cut: (() => void) | null; checkAgain: () => void },
    act: () => Promise<T>,
  ): Promise<T> {
    if (!cut) return act()
    const running = act()
    const breakOff = async () => {
      cut()
      await running.catch(() => {})
    }
    const sender = { checkAgain, cut, breakOff }
    const all = this.#ofServer.get(serverId) ?? new Set()
    this.#ofServer.set(serverId, all.add(sender))
    try {
      return await running
    } finally {
      all.delete(sender)
      if (all.size === 0) this.#ofServer.delete(serverId)
    }
  }

  /** Breaks off all that is sent to a server; resolves when none of it runs any more. */
  async breakOff(serverId: string): Promise<void> {
    await Promise.all([...(this.#ofServer.get(serverId) ?? [])].map(({ breakOff }) => breakOff()))
  }

  /** Cuts off what is sent to a server by those who may not any more. */
  recheck(serverId: string): void {
    for (const { checkAgain, cut } of [...(this.#ofServer.get(serverId) ?? [])]) {
      try {
        checkAgain()
      } catch {
        cut()
      }
    }
  }
}
