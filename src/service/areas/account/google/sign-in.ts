import type { Session } from '../../../../contract/areas/account.ts'
import type { AccountParts } from '../accounts.ts'
import { identityMail } from '../sign-in/mails.ts'
import { entrances, type Exchange, type ExchangeTerms } from './entrances.ts'
import type { SignInsUnderWay } from './pending.ts'
import { codeOver } from './refusals.ts'

/** Sign-in by an identity that a provider has told of. */
export function createGoogleSignIn(parts: AccountParts) {
  const { store, limiter, sessions, secondFactors, signInsEnded, tellOwner } = parts
  const entering = entrances(parts)

  return {
    /**
     * Signs in with a code that a sign-in at the provider ended with. It is used up once it has signed in; what else is asked
     * for (a password, a second factor) can be given a few times. Refuses with 401, 403, 409, 422 and 429.
     */
    async exchangeGoogle(underWay: SignInsUnderWay, given: Exchange, terms: ExchangeTerms): Promise<Session> {
      const arrived = underWay.find(given.code, given.codeVerifier)
      if (!arrived) throw codeOver()
      // Before anything is waited for, so that many at once are counted.
      if (given.password !== undefined || given.secondFactor !== undefined) arrived.triesLeft -= 1
      const { identity } = arrived
      const { who, account, isLinking } = await entering(identity, given, terms)
      const { session, accountId, replaced } = await secondFactors.signIn(who, given.secondFactor, () =>
        store.inOneStep(() => {
          // Of each provider one signs in to an account: another one unlinks it, which ends what that ends elsewhere.
          const replaced = isLinking
            ? store.identities.of(who.accountId).filter(({ issuer }) => issuer === identity.issuer)
            : []
          const entered = account()
          if (replaced.length > 0) store.accounts.deleteTokens(entered.id)
          secondFactors.useAtSignIn(entered.id, given.secondFactor)
          // Last: where anything was refused above, the code is as good as before.
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

    /** Counts a sign-in that an address begins. Refuses with 429. */
    takeGoogle: (group: string) =>
      limiter.take('account.too-many-tries', 'sign-ins-begun', ['googlePerAddress', group]),
  }
}
