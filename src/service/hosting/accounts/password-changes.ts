import type { Caller } from '../../http/serve.ts'
import type { AccountParts } from './accounts.ts'
import { clientOf, ownerWaiter } from './sign-in/client-identity.ts'
import { identityMail, NOBODY, resetMail } from './sign-in/mails.ts'
import { provePassword } from './sign-in/prove-password.ts'

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
     * Sets a new password by code and ends every sign-in. Reading the mail confirms the address. Identities are
     * unlinked: they may belong to someone who read the mail for a while.
     */
    async reset(email: string, code: string, password: string, address: string): Promise<void> {
      const who = clientOf(store, email, address)
      const right = codes.check('reset', code, who)
      // Whoever has the right code does not queue with strangers.
      const hash = await passwords.hash(password, ownerWaiter(who.accountId))
      const unlinked = store.inOneStep(() => {
        codes.use(right)
        accounts.setPassword(who.accountId, hash)
        accounts.confirm(who.accountId, clock.now())
        accounts.deleteTokens(who.accountId)
        // Reading the mail proves no second factor, so codes from there count as strangers' guesses. Nor is it a
        // sign-in: the first real one is still reported to the owner.
        if (!secondFactors.isOn(who.accountId)) accounts.remember(who.accountId, who.addressHash, false)
        return store.identities.unlinkAll(who.accountId)
      })
      signInsEnded(who.accountId)
      for (const identity of unlinked)
        tellOwner(who.accountId, 'identityMails', (to, reader) => identityMail(to, reader, identity, false))
    },

    /** Ends the other sign-ins. `code`: second factor. */
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
