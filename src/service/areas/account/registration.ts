import type { Session, User } from '../../../contract/areas/account.ts'
import type { MailLanguage } from '../../../contract/areas/my-account.ts'
import { refusal } from '../../base/refusal.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { AccountParts } from './accounts.ts'
import { clientOf } from './sign-in/client-identity.ts'
import { alreadyRegisteredMail, confirmMail, confirmWithoutPasswordMail, NOBODY } from './sign-in/mails.ts'
import { userOf } from './sessions.ts'

/** What an account is made of. */
interface Registered {
  name: string
  email: string
  password: string
  /** Of its mails, where the program that asks has said. */
  language?: MailLanguage | undefined
}

/** How an account is made and its address confirmed. */
export function createRegistration({
  store,
  clock,
  passwords,
  outbox,
  codes,
  secondFactors,
  sessions,
  afterAnswer,
}: AccountParts) {
  const { accounts } = store

  return {
    async register(given: Registered, address: string): Promise<User> {
      const { name, email } = given
      const who = clientOf(store, email, address)
      await codes.takeMail('confirm', who)
      const before = accounts.byEmail(email)
      // Either way one password is worked through.
      const same = before ? await passwords.verify(given.password, before.passwordHash, who.waiter) : false
      const created: AccountRow = {
        id: who.accountId,
        email,
        name,
        passwordHash: before ? null : await passwords.hash(given.password, who.waiter),
        confirmedAt: null,
        createdAt: clock.now(),
        language: given.language ?? null,
      }
      const { account, isNew, isSame } = store.inOneStep(() => {
        // Before it is there itself: nobody's registration may end in their own account being forgotten.
        if (!accounts.byEmail(email)) accounts.forgetUnconfirmed(clock.now())
        // Where somebody else has just registered it, nobody knows whether with the same password; where it was forgotten
        // meanwhile, it is made anew, and has none.
        const isNew = accounts.insert(created)
        if (!isNew) accounts.renew(who.accountId, clock.now())
        const account = accounts.byId(who.accountId) ?? created
        const isSame = same && account.passwordHash === before?.passwordHash
        // Only the code's reader owns the address. Had the first password stayed, a stranger could register first and wait
        // until the owner confirms it for them.
        if (!isNew && !isSame && account.confirmedAt === null) accounts.setPassword(account.id, null)
        return { account, isNew, isSame }
      })
      afterAnswer.do(async () => {
        if (account.confirmedAt !== null) return outbox.send(alreadyRegisteredMail(email, account))
        const mail = (isNew && !before) || isSame ? confirmMail : confirmWithoutPasswordMail
        await codes.send(account, 'confirm', who, (code) =>
          mail(email, { name, language: account.language }, code),
        )
      })
      return userOf(created)
    },

    async resend(email: string, address: string): Promise<void> {
      const who = clientOf(store, email, address)
      await codes.takeMail('confirm', who)
      afterAnswer.do(async () => {
        const account = accounts.byEmail(email)
        const waits = account?.confirmedAt === null ? account : null
        await codes.send(waits, 'confirm', who, (code) => confirmMail(email, waits ?? NOBODY, code))
      })
    },

    async confirm(email: string, code: string, address: string): Promise<Session> {
      const who = clientOf(store, email, address)
      const right = await codes.check('confirm', code, who)
      return store.inOneStep(() => {
        codes.use(right)
        // A code from a time before the second factor is no way around it.
        if (secondFactors.isOn(who.accountId)) throw confirmedAlready()
        accounts.confirm(who.accountId, clock.now())
        return sessions.start(accounts.byId(who.accountId) ?? right.account, who.addressHash)
      })
    },
  }
}

const confirmedAlready = () => refusal(409, 'account.confirmed')
