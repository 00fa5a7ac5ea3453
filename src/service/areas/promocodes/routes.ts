import { promocodes } from '../../../contract/areas/promocodes.ts'
import { addressGroup } from '../../base/client-address.ts'
import type { Count, Limiter } from '../../http/limits/limiter.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { Promocodes, type PromocodeParts } from '../../hosting/promocodes/promocodes.ts'

const PAGE = 50

export function mountPromocodes(app: ServiceApp, limiter: Limiter, parts: PromocodeParts): void {
  const all = new Promocodes(parts)

  /** An account's first tries do not count against its address, so nobody can lock out others there. */
  function take(accountId: string, address: string): Count[] {
    const [own, first]: [Count, Count] = [
      ['promoPerAccount', accountId],
      ['promoFirst', accountId],
    ]
    limiter.take(own)
    if (limiter.tryAll(first)) return [own, first]
    const ofAddress: Count = ['promoPerAddress', addressGroup(address)]
    limiter.take(ofAddress)
    return [own, ofAddress]
  }

  serve(app, promocodes.activate, ({ caller, body, address }) =>
    limiter.guess(take(caller.accountId, address), 'promocode.unknown', () =>
      all.activate(caller.accountId, body.code),
    ),
  )

  serve(app, promocodes.list, ({ caller, query }) => {
    const limit = query.limit ?? PAGE
    const rows = all.page(caller.accountId, fromCursor(query.cursor), limit + 1)
    const shown = rows.slice(0, limit)
    return {
      items: all.list(shown),
      nextCursor: rows.length > limit ? String(shown.at(-1)?.seq) : null,
    }
  })

  serve(app, promocodes.limits, ({ caller }) => all.limits(caller.accountId))
}

function fromCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw refusal(422, 'request.invalid.cursor').at('cursor')
}
