import type { Stop } from '../base/change.ts'

/** What needs a server although nobody is on it, such as a backup. */
export class KeptAwake {
  readonly #reasons = new Map<string, Set<{ why: string }>>()

  /** Until the returned function is called. */
  hold(serverId: string, why: string): Stop {
    const reasons = this.#reasons.get(serverId) ?? new Set()
    const reason = { why }
    this.#reasons.set(serverId, reasons.add(reason))
    return () => {
      reasons.delete(reason)
      if (reasons.size === 0 && this.#reasons.get(serverId) === reasons) this.#reasons.delete(serverId)
    }
  }

  reasons(serverId: string): string[] {
    return [...(this.#reasons.get(serverId) ?? [])].map(({ why }) => why)
  }
}
