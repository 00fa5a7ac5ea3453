import type { Session, User } from '../../../contract/areas/account.ts'
import type { MailLanguage } from '../../../contract/areas/my-account.ts'
import { refusal } from '../../../host/refusal.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { AccountParts } from './accounts.ts'
import { clientOf } from './sign-in/client-identity.ts'
import { alreadyRegisteredMail, confirmMail, confirmWithoutPasswordMail, NOBODY } from './sign-in/mails.ts'
import { userOf } from './sessions.ts'

interface RegistrationInput {
  name: string
  email: string
  password: string
  language?: MailLanguage | undefined
}

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
    async register(given: RegistrationInput, address: string): Promise<User> {
      const { name, email } = given
      const who = clientOf(store, email, address)
      await codes.takeMail('confirm', who)
      const before = accounts.byEmail(email)
      // One password hash either way, for constant time.
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
        // Before inserting, so that it cannot remove the account just registered.
        if (!accounts.byEmail(email)) accounts.forgetUnconfirmed(clock.now())
        // Registered concurrently: the password may differ. Deleted concurrently: it is created anew without one.
        const isNew = accounts.insert(created)
        if (!isNew) accounts.renew(who.accountId, clock.now())
        const account = accounts.byId(who.accountId) ?? created
        const isSame = same && account.passwordHash === before?.passwordHash
        // Otherwise a stranger could register first and wait until the owner confirms the stranger's password.
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
      const right = codes.check('confirm', code, who)
      return store.inOneStep(() => {
        codes.use(right)
        // A code from before the second factor must not bypass it.
        if (secondFactors.isOn(who.accountId)) throw confirmedAlready()
        accounts.confirm(who.accountId, clock.now())
        return sessions.start(accounts.byId(who.accountId) ?? right.account, who.addressHash)
      })
    },
  }
}

const confirmedAlready = () => refusal(409, 'account.confirmed')
