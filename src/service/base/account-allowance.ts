import { isoTime, type Clock } from './clock.ts'
import { refusal } from '../../host/refusal.ts'
import type { Store } from '../store/store.ts'

/** Limits without promotions; null: unlimited. */
interface BaseAllowance {
  servers: number
  memoryMb: number | null
  diskBytes: number | null
}

interface AllowanceParts {
  store: Pick<Store, 'servers' | 'promocodes'>
  clock: Clock
  base: BaseAllowance
}

/** The only source of account limits. They are checked when something is created or raised, never afterwards. */
export class AccountAllowance {
  readonly #parts: AllowanceParts

  constructor(parts: AllowanceParts) {
    this.#parts = parts
  }

  /** Includes active promotions. */
  of(accountId: string): BaseAllowance {
    const { store, clock, base } = this.#parts
    const more = store.promocodes.sum(accountId, clock.now())
    const plus = (limit: number | null, added: number) => (limit === null ? null : limit + added)
    return {
      servers: base.servers + more.servers,
      memoryMb: plus(base.memoryMb, more.memoryMb),
      diskBytes: plus(base.diskBytes, more.diskBytes),
    }
  }

  /** @param movedInBy the account moving it in, before it has an owner */
  moreDisk(serverId: string, movedInBy?: string): number {
    const { store, clock } = this.#parts
    const ownerId = store.servers.byId(serverId)?.ownerId ?? movedInBy
    return ownerId === undefined ? 0 : store.promocodes.sum(ownerId, clock.now()).diskBytes
  }

  /** Throws 409 `server.too-many`, `server.memory-limit`. */
  requireServer(accountId: string, memoryMb: number): void {
    const { servers } = this.of(accountId)
    const has = this.#parts.store.servers.countOf(accountId)
    if (has >= servers) {
      const day = this.#endedOn(accountId)
      const figures = { count: has, most: servers }
      const isOver = has > servers
      if (day === null) throw refusal(409, isOver ? 'server.too-many.over' : 'server.too-many', figures)
      const sentence = isOver ? 'server.too-many.over-ended' : 'server.too-many.ended'
      throw refusal(409, sentence, { ...figures, day })
    }
    this.requireMemory(accountId, memoryMb)
  }

  /** Throws 409 `server.memory-limit`. */
  requireMemory(accountId: string, moreMb: number): void {
    const { memoryMb } = this.of(accountId)
    if (memoryMb === null || moreMb <= 0) return
    const used = this.#parts.store.servers.memoryOf(accountId)
    if (used + moreMb <= memoryMb) return
    const figures = { most: String(memoryMb), used: String(used) }
    const day = this.#endedOn(accountId)
    const refused =
      day === null
        ? refusal(409, 'server.memory-limit', figures)
        : refusal(409, 'server.memory-limit.ended', { ...figures, day })
    throw refused.at('memoryMb')
  }

  /** UTC day on which a higher limit ended; null if there was none. */
  #endedOn(accountId: string): string | null {
    const { store, clock } = this.#parts
    const at = store.promocodes.lastEnd(accountId, clock.now())
    return at === null ? null : isoTime(at).slice(0, 10)
  }
}
