import type { z } from 'zod'
import type { AccountLimits, Promotion } from '../../../contract/areas/promocodes.ts'
import type { AccountAllowance } from '../../base/account-allowance.ts'
import { isoTime, type Clock } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import { hashSecret, newLetterCode } from '../secrets.ts'
import type { PromocodeRow, PromotionRow } from '../../store/promocodes.ts'
import type { Store } from '../../store/store.ts'

export interface PromocodeParts {
  store: Pick<Store, 'promocodes' | 'servers' | 'inOneStep'>
  clock: Clock
  allowance: AccountAllowance
  activated: (accountId: string, promotion: z.input<typeof Promotion>) => void
}

export class Promocodes {
  readonly #parts: PromocodeParts

  constructor(parts: PromocodeParts) {
    this.#parts = parts
  }

  /**
   * Checks and uses the code in one step, so that its last use is not given twice. Throws 422 `promocode.unknown`,
   * 409 `.already-used`, `.expired`, `.used-up`.
   */
  activate(accountId: string, typed: string): z.input<typeof Promotion> {
    const { store, clock, activated } = this.#parts
    const row = store.inOneStep(() => {
      const now = clock.now()
      const code = store.promocodes.byHash(hashPromocode(typed))
      if (!code) throw unknown()
      if (store.promocodes.has(code.id, accountId)) throw alreadyUsed()
      if (code.revokedAt !== null || (code.expiresAt !== null && code.expiresAt <= now)) throw expired(code)
      if (code.uses >= code.usesMost) throw usedUp()
      const endsAt = code.lastsMs === null ? null : now + code.lastsMs
      const made = store.promocodes.activate(code, accountId, now, endsAt)
      if (!made) throw alreadyUsed()
      return { ...code, seq: made.seq, activatedAt: now, endsAt }
    })
    const promotion = this.#view(row)
    activated(accountId, promotion)
    return promotion
  }

  page(accountId: string, before: number, limit: number): PromotionRow[] {
    return this.#parts.store.promocodes.page(accountId, before, limit)
  }

  list = (rows: readonly PromotionRow[]): z.input<typeof Promotion>[] => rows.map((row) => this.#view(row))

  limits(accountId: string): z.input<typeof AccountLimits> {
    const { store, allowance } = this.#parts
    const { servers, memoryMb, diskBytes } = allowance.of(accountId)
    const limit = (most: number | null, used?: number) => ({
      ...(used !== undefined && { used }),
      ...(most !== null && { most }),
      limited: most !== null,
    })
    return {
      servers: limit(servers, store.servers.countOf(accountId)),
      memoryMb: limit(memoryMb, store.servers.memoryOf(accountId)),
      diskBytes: limit(diskBytes),
    }
  }

  #view(row: PromotionRow): z.input<typeof Promotion> {
    const { id, name, servers, memoryMb, diskBytes, activatedAt, endsAt } = row
    return {
      id,
      name,
      benefits: {
        ...(servers > 0 && { servers }),
        ...(memoryMb > 0 && { memoryMb }),
        ...(diskBytes > 0 && { diskBytes }),
      },
      activatedAt: isoTime(activatedAt),
      ...(endsAt !== null && { endsAt: isoTime(endsAt) }),
      active: endsAt === null || endsAt > this.#parts.clock.now(),
    }
  }
}

/** Without lookalikes: 78 bits. */
export const newPromocode = (): string => newLetterCode('ABCDEFGHJKMNPQRSTVWXYZ23456789')

export const bareCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\u00ad\u200b]/gu, '')
    .toUpperCase()

export const hashPromocode = (typed: string): string => hashSecret(`promocode:${bareCode(typed)}`)

const unknown = () => refusal(422, 'promocode.unknown').at('code')
const alreadyUsed = () => refusal(409, 'promocode.already-used').at('code')
const usedUp = () => refusal(409, 'promocode.used-up').at('code')
const expired = ({ revokedAt, expiresAt }: PromocodeRow) =>
  (revokedAt !== null || expiresAt === null
    ? refusal(409, 'promocode.expired.withdrawn')
    : refusal(409, 'promocode.expired', { day: isoTime(expiresAt).slice(0, 10) })
  ).at('code')
