import type { Logger } from 'pino'
import type { Session, User } from '../../contract/areas/account.ts'
import { isoTime, type Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { signedOut, type Caller } from '../serve.ts'
import type { AccountRow } from '../store/accounts.ts'
import type { Store } from '../store/store.ts'
import { accountIdOf, askerOf, type Asker } from './askers.ts'
import { createCodes } from './codes.ts'
import type { Waiter } from './fair-queue.ts'
import type { Limiter } from './limits.ts'
import { alreadyRegisteredMail, confirmMail, confirmWithoutPasswordMail, resetMail } from './mails.ts'
import type { Outbox } from './outbox.ts'
import type { Passwords } from './passwords.ts'
import { hashToken, newToken } from './secrets.ts'

/** How long a token is good, in milliseconds: 30 days. */
export const TOKEN_MS = 30 * 24 * 60 * 60 * 1000

export interface AccountsOptions {
  store: Pick<Store, 'accounts' | 'codes' | 'key' | 'inOneStep'>
  clock: Clock
  log: Logger
  passwords: Passwords
  limiter: Limiter
  outbox: Outbox
}

export type Accounts = ReturnType<typeof createAccounts>

/**
 * Accounts, sign-in and codes. Nothing here tells, by words or by time, whether an address has an account: the same
 * work is done where it has none, and mail is written after the answer.
 *
 * Working a password through takes long, and much happens meanwhile. So what was checked before it is checked again, in
 * one step with what is written: `store.inOneStep`, which awaits nothing. Who comes too late is told so.
 */
export function createAccounts(options: AccountsOptions) {
  const { clock, log, passwords, limiter, store, outbox } = options
  const { accounts } = store
  const codes = createCodes(options)
  const pending = new Set<Promise<void>>()

  /** Work that the answer does not wait for. */
  function afterwards(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'a mail could not be written'))
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  const asker = (email: string, address: string) => askerOf(store, email, address)

  /** Signs in; to be called in the step that has found it to be right. */
  function startSession(account: AccountRow, addressHash: string | null): Session {
    const token = newToken()
    const now = clock.now()
    accounts.insertToken(hashToken(token), account.id, now, now + TOKEN_MS)
    if (addressHash !== null) accounts.remember(account.id, addressHash)
    return { token, expiresAt: isoTime(now + TOKEN_MS), user: userOf(account) }
  }

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
    /** The account of a token; null where it is unknown or expired. */
    authenticate(token: string): Caller | null {
      const tokenHash = hashToken(token)
      const accountId = accounts.tokenOwner(tokenHash, clock.now())
      return accountId === null ? null : { accountId, tokenHash }
    },

    async register(given: { name: string; email: string; password: string }, address: string): Promise<User> {
      const { name, email } = given
      const who = asker(email, address)
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
      afterwards(async () => {
        if (account.confirmedAt !== null) return outbox.send(alreadyRegisteredMail(email, account.name))
        const mail = (isNew && !before) || isSame ? confirmMail : confirmWithoutPasswordMail
        await codes.send(account, 'confirm', who, (code) => mail(email, name, code))
      })
      return userOf(created)
    },

    async resend(email: string, address: string): Promise<void> {
      const who = asker(email, address)
      await codes.takeMail('confirm', who)
      afterwards(async () => {
        const account = accounts.byEmail(email)
        if (!account || account.confirmedAt !== null) return
        await codes.send(account, 'confirm', who, (code) => confirmMail(email, account.name, code))
      })
    },

    async confirm(email: string, code: string, address: string): Promise<Session> {
      const who = asker(email, address)
      const right = await codes.check('confirm', code, who)
      return store.inOneStep(() => {
        codes.use(right)
        accounts.confirm(who.accountId, clock.now())
        return startSession(accounts.byId(who.accountId) ?? right.account, who.addressHash)
      })
    },

    async signIn(email: string, password: string, address: string): Promise<Session> {
      const who = asker(email, address)
      await takeSignIn(who)
      const checked = accounts.byEmail(email)
      const fits = await verify(password, checked?.passwordHash ?? null, who)
      if (!checked || !fits) {
        throw new Refusal(401, 'account.wrong-credentials', 'The email or password is incorrect.')
      }
      const session = store.inOneStep(() => {
        const account = accounts.byId(checked.id)
        if (account?.passwordHash !== checked.passwordHash) throw passwordChanged()
        return account.confirmedAt === null ? null : startSession(account, who.addressHash)
      })
      await giveBackSignIn(who)
      if (session) return session
      const message = 'This account is not confirmed yet. Enter the code that was sent by email.'
      throw new Refusal(403, 'account.unconfirmed', message)
    },

    signOut: (caller: Caller): void => accounts.deleteToken(caller.tokenHash),

    me(caller: Caller): User {
      const account = accounts.byId(caller.accountId)
      if (!account) throw new Error('a token outlived its account')
      return userOf(account)
    },

    async forgot(email: string, address: string): Promise<void> {
      const who = asker(email, address)
      await codes.takeMail('reset', who)
      afterwards(async () => {
        const account = accounts.byEmail(email)
        if (account) await codes.send(account, 'reset', who, (code) => resetMail(email, account.name, code))
      })
    },

    /** Sets a new password by code and ends every sign-in. Who reads the mail owns the address, so it is confirmed. */
    async reset(email: string, code: string, password: string, address: string): Promise<void> {
      const who = asker(email, address)
      const right = await codes.check('reset', code, who)
      // Who has the right code waits with no stranger.
      const hash = await passwords.hash(password, waiterOf(who.accountId))
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
      const waiter = waiterOf(checked.id)
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

    /** Signs in the local owner; whoever calls this has checked the parent's secret. Awaits nothing. */
    signInLocal(): Session {
      const created: AccountRow = {
        id: LOCAL_OWNER,
        email: null,
        name: 'This computer',
        passwordHash: null,
        confirmedAt: clock.now(),
        createdAt: clock.now(),
      }
      return store.inOneStep(() => {
        accounts.insert(created)
        return startSession(accounts.byId(LOCAL_OWNER) ?? created, null)
      })
    },

    /** Makes a confirmed account, for who owns the data folder. False where the address has one already. */
    async create(given: { name: string; email: string; password: string }): Promise<boolean> {
      const id = accountIdOf(store.key, given.email)
      const passwordHash = await passwords.hash(given.password, waiterOf(id))
      const now = clock.now()
      return accounts.insert({ ...given, id, passwordHash, confirmedAt: now, createdAt: now })
    },

    /** Resolves when all mail that was promised so far is written. */
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

/** Id of the account of who started the service as a part of the panel. It has no password and no address. */
export const LOCAL_OWNER = 'local'

/** Where those wait who have shown that they are this account's owner, by a token or a code. */
const waiterOf = (accountId: string): Waiter => ({ lane: 'known', group: `account ${accountId}` })

const userOf = (account: AccountRow): User => ({
  id: account.id,
  name: account.name,
  email: account.email,
  emailConfirmed: account.email === null ? null : account.confirmedAt !== null,
  createdAt: isoTime(account.createdAt),
})

const passwordChanged = () =>
  new Refusal(
    409,
    'account.password-changed',
    'The password of this account has just been changed. Try again with the new one.',
  )
