import type { Session } from '../../../contract/areas/account.ts'
import { Refusal } from '../../refusal.ts'
import type { AccountParts } from './accounts.ts'
import { askerOf, type Asker } from './askers.ts'
import { passwordChanged } from './password-changes.ts'

/** Sign-in by password, and what of its tries is counted. */
export function createSignIn({ store, passwords, limiter, sessions }: AccountParts) {
  const { accounts } = store

  async function takeSignIn({ known, pair, group, email }: Asker): Promise<void> {
    const code = 'account.too-many-tries'
    const what = 'Too many wrong passwords.'
    if (known) return limiter.take(code, what, ['signInKnown', pair])
    await limiter.take(code, what, ['signInPerAddress', group], ['signInPerPair', pair])
    // Perhaps others have used these up. Who sets a password by code is known here from then on, and counted apart.
    const all =
      'Too many wrong passwords have been tried for this email. Set a new password with a code, or wait.'
    await limiter.take(code, all, ['signInPerAccount', email])
  }

  async function giveBackSignIn({ known, pair, group, email }: Asker): Promise<void> {
    await limiter.forget(known ? 'signInKnown' : 'signInPerPair', pair)
    if (known) return
    await limiter.giveBack('signInPerAddress', group)
    await limiter.giveBack('signInPerAccount', email)
  }

  /** Works a password through for who is known; that no turn was to be had is not a wrong try. */
  async function verify(password: string, hash: string | null, who: Asker): Promise<boolean> {
    try {
      return await passwords.verify(password, hash, who.waiter)
    } catch (error) {
      // No password was tried, so no attempt counts, of strangers either.
      if (who.known) await limiter.giveBack('signInKnown', who.pair)
      else {
        await limiter.giveBack('signInPerPair', who.pair)
        await limiter.giveBack('signInPerAddress', who.group)
        await limiter.giveBack('signInPerAccount', who.email)
      }
      throw error
    }
  }

  return {
    async signIn(email: string, password: string, address: string): Promise<Session> {
      const who = askerOf(store, email, address)
      await takeSignIn(who)
      const checked = accounts.byEmail(email)
      const fits = await verify(password, checked?.passwordHash ?? null, who)
      if (!checked || !fits) {
        throw new Refusal(401, 'account.wrong-credentials', 'The email or password is incorrect.')
      }
      const session = store.inOneStep(() => {
        const account = accounts.byId(checked.id)
        if (account?.passwordHash !== checked.passwordHash) throw passwordChanged()
        return account.confirmedAt === null ? null : sessions.start(account, who.addressHash)
      })
      await giveBackSignIn(who)
      if (session) return session
      const message = 'This account is not confirmed yet. Enter the code that was sent by email.'
      throw new Refusal(403, 'account.unconfirmed', message)
    },
  }
}
