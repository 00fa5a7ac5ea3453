import { refusal } from '../../../host/refusal.ts'

export interface Holder {
  /** Ends its connection; it writes what arrived, then releases the lock. */
  cut: () => void
  quietMs: () => number
}

/** After this silence a writer yields to a new one: its connection is probably dead. */
const QUIET_MS = 5_000

/** One request per upload. */
export class UploadLocks {
  readonly #held = new Map<string, { holder: Holder; released: Promise<void>; release: () => void }>()

  /** Returns the release function. Throws Refusal 423 `files.busy`. */
  async take(id: string, holder: Holder): Promise<() => void> {
    const other = this.#held.get(id)
    if (other) {
      if (other.holder.quietMs() < QUIET_MS) throw busy()
      other.holder.cut()
      await other.released
      if (this.#held.has(id)) throw busy()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held.set(id, { holder, released: promise, release: resolve })
    return () => {
      this.#held.delete(id)
      resolve()
    }
  }

  isHeld(id: string): boolean {
    return this.#held.has(id)
  }

  /** Disconnects a current writer and waits until it has finished. */
  async cut(id: string): Promise<void> {
    const held = this.#held.get(id)
    held?.holder.cut()
    await held?.released
  }
}

const busy = () => refusal(423, 'files.busy').with({ 'Retry-After': '1' })

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
