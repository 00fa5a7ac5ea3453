import type { Session } from '../../../../contract/areas/account.ts'
import type { AccountParts } from '../accounts.ts'
import { identityMail } from '../sign-in/mails.ts'
import { codeOver, entrances, type Exchange, type ExchangeTerms } from './entrances.ts'
import type { SignInRegistry } from './pending.ts'

export function createGoogleSignIn(parts: AccountParts) {
  const { store, limiter, sessions, secondFactors, signInsEnded, tellOwner } = parts
  const entering = entrances(parts)

  return {
    /**
     * Signs in with the code of a finished provider sign-in. Used up only on success, so that a password or second
     * factor can be given a few times. Refuses with 401, 403, 409, 422 and 429.
     */
    async exchangeGoogle(underWay: SignInRegistry, given: Exchange, terms: ExchangeTerms): Promise<Session> {
      const arrived = underWay.find(given.code, given.codeVerifier)
      if (!arrived) throw codeOver()
      // Count before awaiting, so that parallel requests are counted.
      if (given.password !== undefined || given.secondFactor !== undefined) arrived.triesLeft -= 1
      const { identity } = arrived
      const { who, account, isLinking } = await entering(identity, given, terms)
      const { session, accountId, replaced } = await secondFactors.signIn(who, given.secondFactor, () =>
        store.inOneStep(() => {
          // An account has one identity per provider; linking another unlinks the first.
          const replaced = isLinking
            ? store.identities.of(who.accountId).filter(({ issuer }) => issuer === identity.issuer)
            : []
          const entered = account()
          if (replaced.length > 0) store.accounts.deleteTokens(entered.id)
          secondFactors.useAtSignIn(entered.id, given.secondFactor)
          // Last, so that the code survives any refusal above.
          if (!underWay.use(given.code)) throw codeOver()
          return { session: sessions.start(entered, who.addressHash), accountId: entered.id, replaced }
        }),
      )
      if (replaced.length > 0) signInsEnded(accountId)
      for (const was of replaced)
        tellOwner(accountId, 'identityMails', (to, reader) => identityMail(to, reader, was, false))
      if (isLinking)
        tellOwner(accountId, 'identityMails', (to, reader) => identityMail(to, reader, identity, true))
      return session
    },

    takeGoogle: (group: string) => limiter.take(['googlePerAddress', group]),
  }
}
