import type { Session } from '../../../../contract/areas/account.ts'
import { refusal } from '../../../base/refusal.ts'
import type { AccountRow } from '../../../store/accounts.ts'
import type { AccountParts } from '../accounts.ts'
import { clientOf, type ClientIdentity } from './client-identity.ts'
import type { LimitName } from './limits.ts'
import { passwordChanged } from './prove-password.ts'

export interface VerifiedAccount {
  who: ClientIdentity
  account: AccountRow
}

/** Counts tries, and takes the same time without an account. Refuses with 401 and 429. */
export function passwordTries({ store, passwords, limiter }: AccountParts) {
  const { accounts } = store

  /** Returns what was counted, to be given back if the password was right or never tried. */
  async function takeSignIn({
    known,
    pair,
    network,
    group,
    email,
  }: ClientIdentity): Promise<[LimitName, string][]> {
    const code = 'account.too-many-tries'
    const what = 'wrong-passwords'
    const counts: [LimitName, string][] = known
      ? [['signInKnown', pair]]
      : [
          ['signInPerAddress', group],
          ['signInPerPair', pair],
        ]
    await limiter.take(code, what, ...counts)
    if (known) return counts
    // An address's first tries are its own, so strangers cannot lock anyone out.
    const first: [LimitName, string] = ['signInFirst', pair]
    const ofNetwork: [LimitName, string] = ['signInFirstPerNetwork', network]
    if (await limiter.tryOne(...first)) {
      if (await limiter.tryOne(...ofNetwork)) return [...counts, first, ofNetwork]
      await limiter.giveBack(...first)
    }
    await limiter.take(code, 'wrong-passwords-by-all', ['signInPerAccount', email])
    return [...counts, ['signInPerAccount', email]]
  }

  async function giveBack(counts: readonly [LimitName, string][]): Promise<void> {
    for (const count of counts) await limiter.giveBack(...count)
  }

  async function verify(
    password: string,
    hash: string | null,
    who: ClientIdentity,
    counts: readonly [LimitName, string][],
  ): Promise<boolean> {
    try {
      return await passwords.verify(password, hash, who.waiter)
    } catch (error) {
      // No password was tried, so nothing counts.
      await giveBack(counts)
      throw error
    }
  }

  return async (email: string, password: string, address: string): Promise<VerifiedAccount> => {
    const who = clientOf(store, email, address)
    const counts = await takeSignIn(who)
    const account = accounts.byEmail(email)
    const fits = await verify(password, account?.passwordHash ?? null, who, counts)
    if (!account || !fits) {
      throw refusal(401, 'account.wrong-credentials')
    }
    await limiter.forget(who.known ? 'signInKnown' : 'signInPerPair', who.pair)
    await giveBack(counts)
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
