import type { Session } from '../../../../contract/areas/account.ts'
import { refusal } from '../../../../host/refusal.ts'
import type { AccountRow } from '../../../store/accounts.ts'
import type { AccountParts } from '../accounts.ts'
import { clientOf, type ClientIdentity } from './client-identity.ts'
import type { Count } from '../../../http/limits/limiter.ts'
import { passwordChanged } from './prove-password.ts'

export interface VerifiedAccount {
  who: ClientIdentity
  account: AccountRow
}

/** Counts tries, and takes the same time without an account. Refuses with 401 and 429. */
export function passwordTries({ store, passwords, limiter }: AccountParts) {
  /** Returns what was counted, to be given back if the password was right or never tried. */
  function takeSignIn({ known, pair, network, group, email }: ClientIdentity): Count[] {
    const own: Count[] = known
      ? [['signInKnown', pair]]
      : [
          ['signInPerAddress', group],
          ['signInPerPair', pair],
        ]
    limiter.take(...own)
    if (known) return own
    // An address's first tries are its own, so strangers cannot lock anyone out.
    const first: Count[] = [
      ['signInFirst', pair],
      ['signInFirstPerNetwork', network],
    ]
    if (limiter.tryAll(...first)) return [...own, ...first]
    const ofAll: Count = ['signInPerAccount', email]
    limiter.take(ofAll)
    return [...own, ofAll]
  }

  return async (email: string, password: string, address: string): Promise<VerifiedAccount> => {
    const who = clientOf(store, email, address)
    const account = await limiter.guess(takeSignIn(who), 'account.wrong-credentials', async () => {
      const account = store.accounts.byEmail(email)
      const fits = await passwords.verify(password, account?.passwordHash ?? null, who.waiter)
      if (account && fits) return account
      throw refusal(401, 'account.wrong-credentials')
    })
    limiter.forget(who.known ? 'signInKnown' : 'signInPerPair', who.pair)
    return { who, account }
  }
}

export function createSignIn(parts: AccountParts) {
  const { store, sessions, secondFactors } = parts
  const { accounts } = store
  const tryPassword = passwordTries(parts)

  return {
    /**
     * Asks for the code only after a correct password, so guessing reveals nothing about second factors.
     * @param code second factor
     */
    async signIn(email: string, password: string, address: string, code?: string): Promise<Session> {
      const { who, account: checked } = await tryPassword(email, password, address)
      const session = await secondFactors.signIn(who, code, () =>
        store.inOneStep(() => {
          const account = accounts.byId(checked.id)
          if (account?.passwordHash !== checked.passwordHash) throw passwordChanged()
          if (account.confirmedAt === null) return null
          secondFactors.useAtSignIn(account.id, code)
          return sessions.start(account, who.addressHash)
        }),
      )
      if (session) return session
      throw refusal(403, 'account.unconfirmed')
    },
  }
}
