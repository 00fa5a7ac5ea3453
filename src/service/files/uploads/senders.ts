export class Senders {
  readonly #ofServer = new Map<string, Set<() => Promise<void>>>()

  async sending<T>(serverId: string, cut: (() => void) | null, act: () => Promise<T>): Promise<T> {
    if (!cut) return act()
    const running = act()
    const breakOff = async () => {
      cut()
      await running.catch(() => {})
    }
    const all = this.#ofServer.get(serverId) ?? new Set()
    this.#ofServer.set(serverId, all.add(breakOff))
    try {
      return await running
    } finally {
      all.delete(breakOff)
      if (all.size === 0) this.#ofServer.delete(serverId)
    }
  }

  async breakOff(serverId: string): Promise<void> {
    await Promise.all([...(this.#ofServer.get(serverId) ?? [])].map((breakOff) => breakOff()))
  }
}
