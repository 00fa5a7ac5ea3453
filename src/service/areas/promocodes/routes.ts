import { promocodes } from '../../../contract/areas/promocodes.ts'
import { addressGroup } from '../../base/client-address.ts'
import { refusal, Refusal } from '../../base/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { isOfTrueCode, Promocodes, type PromocodeParts } from './promocodes.ts'

const PAGE = 50

type Count = 'promoPerAccount' | 'promoFirst' | 'promoPerAddress'

interface GuessLimiter {
  take(code: string, what: string, ...counts: [Count, string][]): Promise<void>
  tryOne(name: Count, key: string): Promise<boolean>
  giveBack(name: Count, key: string): Promise<void>
}

export function mountPromocodes(app: ServiceApp, limiter: GuessLimiter, parts: PromocodeParts): void {
  const all = new Promocodes(parts)

  /** An account's first tries do not count against its address, so nobody can lock out others there. */
  async function take(accountId: string, address: string): Promise<[Count, string][]> {
    const tooMany = ['promocode.too-many-tries', 'codes-that-do-not-exist'] as const
    const own: [Count, string] = ['promoPerAccount', accountId]
    await limiter.take(...tooMany, own)
    const first: [Count, string] = ['promoFirst', accountId]
    if (await limiter.tryOne(...first)) return [own, first]
    const ofAddress: [Count, string] = ['promoPerAddress', addressGroup(address)]
    await limiter.take(...tooMany, ofAddress)
    return [own, ofAddress]
  }

  serve(app, promocodes.activate, async ({ caller, body, address }) => {
    const counts = await take(caller.accountId, address)
    let isGuess = false
    try {
      return all.activate(caller.accountId, body.code)
    } catch (error) {
      isGuess = error instanceof Refusal && !isOfTrueCode(error)
      throw error
    } finally {
      if (!isGuess) for (const count of counts) await limiter.giveBack(...count)
    }
  })

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
