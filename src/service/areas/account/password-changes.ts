import { Refusal } from '../../refusal.ts'
import { signedOut, type Caller } from '../../serve.ts'
import type { AccountParts } from './accounts.ts'
import { askerOf, ownerWaiter } from './askers.ts'
import { resetMail } from './mails.ts'

/** How a password is replaced: with a code by mail, or with the one there is. */
export function createPasswordChanges({
  store,
  clock,
  passwords,
  limiter,
  codes,
  afterAnswer,
}: AccountParts) {
  const { accounts } = store

  return {
    async forgot(email: string, address: string): Promise<void> {
      const who = askerOf(store, email, address)
      await codes.takeMail('reset', who)
      afterAnswer.do(async () => {
        const account = accounts.byEmail(email)
        if (account) await codes.send(account, 'reset', who, (code) => resetMail(email, account.name, code))
      })
    },

    /** Sets a new password by code and ends every sign-in. Who reads the mail owns the address, so it is confirmed. */
    async reset(email: string, code: string, password: string, address: string): Promise<void> {
      const who = askerOf(store, email, address)
      const right = await codes.check('reset', code, who)
      // Who has the right code waits with no stranger.
      const hash = await passwords.hash(password, ownerWaiter(who.accountId))
      store.inOneStep(() => {
        codes.use(right)
        accounts.setPassword(who.accountId, hash)
        accounts.confirm(who.accountId, clock.now())
        accounts.deleteTokens(who.accountId)
        accounts.remember(who.accountId, who.addressHash)
      })
    },

    /** Sets a new password and ends the other sign-ins. */
    async updatePassword(caller: Caller, current: string, next: string): Promise<void> {
      const checked = accounts.byId(caller.accountId)
      if (!checked?.email) {
        const message = 'The owner of this computer signs in without a password, so there is none to change.'
        throw new Refusal(409, 'account.no-password', message)
      }
      const { tokenHash } = caller
      const requireToken = () => {
        if (accounts.tokenOwner(tokenHash, clock.now()) !== checked.id) throw signedOut()
      }
      const what = 'Too many wrong passwords.'
      await limiter.take('account.too-many-tries', what, ['passwordPerToken', tokenHash])
      const waiter = ownerWaiter(checked.id)
      if (!(await passwords.verify(current, checked.passwordHash, waiter))) {
        requireToken()
        const message = 'The current password is incorrect.'
        throw new Refusal(422, 'account.wrong-password', message, { fields: { currentPassword: [message] } })
      }
      await limiter.forget('passwordPerToken', tokenHash)
      const hash = await passwords.hash(next, waiter)
      store.inOneStep(() => {
        requireToken()
        if (accounts.byId(checked.id)?.passwordHash !== checked.passwordHash) throw passwordChanged()
        accounts.setPassword(checked.id, hash)
        accounts.deleteTokens(checked.id, tokenHash)
      })
    },
  }
}

export const passwordChanged = () =>
  new Refusal(
    409,
    'account.password-changed',
    'The password of this account has just been changed. Try again with the new one.',
  )
