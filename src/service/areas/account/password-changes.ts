import type { Caller } from '../../http/serve.ts'
import type { AccountParts } from './accounts.ts'
import { clientOf, ownerWaiter } from './sign-in/client-identity.ts'
import { identityMail, NOBODY, resetMail } from './sign-in/mails.ts'
import { provePassword } from './sign-in/prove-password.ts'

/** How a password is replaced: with a code by mail, or with the one there is. */
export function createPasswordChanges(parts: AccountParts) {
  const { store, clock, passwords, codes, secondFactors, afterAnswer, signInsEnded, tellOwner } = parts
  const { accounts } = store

  return {
    async forgot(email: string, address: string): Promise<void> {
      const who = clientOf(store, email, address)
      await codes.takeMail('reset', who)
      afterAnswer.do(async () => {
        const account = accounts.byEmail(email)
        await codes.send(account, 'reset', who, (code) => resetMail(email, account ?? NOBODY, code))
      })
    },

    /**
     * Sets a new password by code and ends every sign-in. Who reads the mail owns the address, so it is confirmed. An identity
     * that signed in until now may be of somebody else who read it for a while: it is asked for the password once more.
     */
    async reset(email: string, code: string, password: string, address: string): Promise<void> {
      const who = clientOf(store, email, address)
      const right = await codes.check('reset', code, who)
      // Who has the right code waits with no stranger.
      const hash = await passwords.hash(password, ownerWaiter(who.accountId))
      const unlinked = store.inOneStep(() => {
        codes.use(right)
        accounts.setPassword(who.accountId, hash)
        accounts.confirm(who.accountId, clock.now())
        accounts.deleteTokens(who.accountId)
        // Who reads the mail has not shown a second factor: from there codes are guessed as strangers guess them.
        // Nor signed in: that is told to the owner, who may be somebody else.
        if (!secondFactors.isOn(who.accountId)) accounts.remember(who.accountId, who.addressHash, false)
        return store.identities.unlinkAll(who.accountId)
      })
      signInsEnded(who.accountId)
      for (const identity of unlinked)
        tellOwner(who.accountId, 'identityMails', (to, reader) => identityMail(to, reader, identity, false))
    },

    /** Sets a new password and ends the other sign-ins. `code`: of the second factor. */
    async updatePassword(caller: Caller, current: string, next: string, code?: string): Promise<void> {
      await secondFactors.during(caller, code, async (useCode) => {
        const { account, waiter, stillHolds } = await provePassword(parts, caller, current)
        const hash = await passwords.hash(next, waiter)
        store.inOneStep(() => {
          stillHolds()
          useCode()
          accounts.setPassword(account.id, hash)
          accounts.deleteTokens(account.id, caller.tokenHash)
        })
        signInsEnded(account.id)
      })
    },
  }
}
