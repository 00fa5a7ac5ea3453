import { createHmac, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Session, User } from '../../contract/api/account.ts'
import { isoTime, type Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from '../serve.ts'
import type { AccountRow, CodePurpose } from '../store/accounts.ts'
import type { Store } from '../store/store.ts'
import type { Limiter } from './limits.ts'
import {
  alreadyRegisteredMail,
  CODE_MINUTES,
  confirmMail,
  confirmWithoutPasswordMail,
  resetMail,
} from './mails.ts'
import type { Mail, Outbox } from './outbox.ts'
import type { Passwords } from './passwords.ts'
import { hashCode, hashToken, newCode, newToken, sameSecret } from './secrets.ts'

/** How long a token is good, in milliseconds: 30 days. */
export const TOKEN_MS = 30 * 24 * 60 * 60 * 1000
const CODE_MS = CODE_MINUTES * 60 * 1000
const CODE_TRIES = 5

export interface AccountsOptions {
  store: Pick<Store, 'accounts' | 'key'>
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
 */
export function createAccounts(options: AccountsOptions) {
  const { clock, log, passwords, limiter } = options
  const { accounts } = options.store
  const pending = new Set<Promise<void>>()

  /** Work that the answer does not wait for. */
  function afterwards(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'a mail could not be written'))
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  /** The id an address has or would have: registering twice answers the same, whether it did anything or not. */
  const idOf = (email: string) =>
    createHmac('sha256', options.store.key).update(`account:${email}`).digest('base64url').slice(0, 22)

  function startSession(account: AccountRow): Session {
    const token = newToken()
    const now = clock.now()
    // Not at once: a clock that is set ahead, and back again, signs nobody out.
    accounts.deleteExpiredTokens(now - TOKEN_MS)
    accounts.insertToken(hashToken(token), account.id, now, now + TOKEN_MS)
    return { token, expiresAt: isoTime(now + TOKEN_MS), user: userOf(account) }
  }

  async function sendCode(
    account: AccountRow,
    purpose: CodePurpose,
    mail: (code: string) => Mail,
  ): Promise<void> {
    const code = newCode()
    const salt = randomBytes(16).toString('base64url')
    const expiresAt = clock.now() + CODE_MS
    accounts.putCode(account.id, purpose, {
      salt,
      hash: hashCode(code, salt),
      expiresAt,
      triesLeft: CODE_TRIES,
    })
    await options.outbox.send(mail(code))
  }

  async function takeMail(purpose: CodePurpose, email: string, address: string): Promise<void> {
    const what = 'Enough codes were asked for.'
    await limiter.take(
      'account.too-many-codes',
      what,
      ['mailPerAddress', address],
      ['mailPerEmail', email],
      ['mailPerEmailDaily', email],
    )
    await limiter.forget('codePerEmail', `${purpose}:${email}`)
  }

  /** The account whose code this is; the code is used up by that. Refuses with 422. */
  async function redeem(
    email: string,
    purpose: CodePurpose,
    code: string,
    address: string,
  ): Promise<AccountRow> {
    const what = 'Too many codes were tried.'
    await limiter.take('account.too-many-tries', what, ['codePerAddress', address])
    // Counted for every address, with an account or without, so that the answer tells nothing.
    if (!(await limiter.tryOne('codePerEmail', `${purpose}:${email}`))) {
      throw wrongCode('account.code-used-up', 'Five tries are used up. Ask for a new code.')
    }
    const account = accounts.byEmail(email)
    const stored = account && accounts.useTry(account.id, purpose)
    const fits = sameSecret(hashCode(code, stored?.salt ?? ''), stored?.hash ?? '')
    if (!account || !stored || !fits) {
      throw wrongCode(
        'account.code-wrong',
        'This is not the code of the newest mail. Look again, or ask for a new one.',
      )
    }
    const left = stored.expiresAt - clock.now()
    // One that would be good for longer than any was made when the clock was ahead.
    if (left <= 0 || left > CODE_MS) {
      throw wrongCode(
        'account.code-expired',
        `A code is good for ${CODE_MINUTES} minutes. Ask for a new one.`,
      )
    }
    accounts.deleteCode(account.id, purpose)
    await limiter.forget('codePerEmail', `${purpose}:${email}`)
    return account
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
      await takeMail('confirm', email, address)
      const existing = accounts.byEmail(email)
      // Either way one password is worked through.
      const same = existing ? await passwords.verify(given.password, existing.passwordHash) : false
      const created: AccountRow = {
        id: idOf(email),
        email,
        name,
        passwordHash: existing ? null : await passwords.hash(given.password),
        confirmedAt: null,
        createdAt: clock.now(),
      }
      const isNew = !existing && accounts.insert(created)
      const account = accounts.byEmail(email) ?? created
      afterwards(async () => {
        if (account.confirmedAt !== null)
          return options.outbox.send(alreadyRegisteredMail(email, account.name))
        if (isNew || same) return sendCode(account, 'confirm', (code) => confirmMail(email, name, code))
        // Somebody registered this address before, and only the code's reader owns it. Had the first password stayed,
        // a stranger could register first and wait until the owner confirms it for them.
        accounts.setPassword(account.id, null)
        await sendCode(account, 'confirm', (code) => confirmWithoutPasswordMail(email, name, code))
      })
      return userOf(created)
    },

    async resend(email: string, address: string): Promise<void> {
      await takeMail('confirm', email, address)
      afterwards(async () => {
        const account = accounts.byEmail(email)
        if (!account || account.confirmedAt !== null) return
        await sendCode(account, 'confirm', (code) => confirmMail(email, account.name, code))
      })
    },

    async confirm(email: string, code: string, address: string): Promise<Session> {
      const account = await redeem(email, 'confirm', code, address)
      accounts.confirm(account.id, clock.now())
      return startSession({ ...account, confirmedAt: clock.now() })
    },

    async signIn(email: string, password: string, address: string): Promise<Session> {
      const pair = `${address} ${email}`
      await limiter.take(
        'account.too-many-tries',
        'Too many wrong passwords.',
        ['signInPerAddress', address],
        ['signInPerPair', pair],
        ['signInPerAccount', email],
      )
      const account = accounts.byEmail(email)
      const fits = await passwords.verify(password, account?.passwordHash ?? null)
      if (!account || !fits) {
        throw new Refusal(401, 'account.wrong-credentials', 'Email or password is not right.')
      }
      await limiter.giveBack('signInPerAddress', address)
      await limiter.giveBack('signInPerAccount', email)
      await limiter.forget('signInPerPair', pair)
      if (account.confirmedAt === null) {
        const message = 'This account is not confirmed yet. Enter the code that was sent by mail.'
        throw new Refusal(403, 'account.unconfirmed', message)
      }
      return startSession(account)
    },

    signOut: (caller: Caller): void => accounts.deleteToken(caller.tokenHash),

    me(caller: Caller): User {
      const account = accounts.byId(caller.accountId)
      if (!account) throw new Error('a token outlived its account')
      return userOf(account)
    },

    async forgot(email: string, address: string): Promise<void> {
      await takeMail('reset', email, address)
      afterwards(async () => {
        const account = accounts.byEmail(email)
        if (account) await sendCode(account, 'reset', (code) => resetMail(email, account.name, code))
      })
    },

    /** Sets a new password by code and ends every sign-in. Who reads the mail owns the address, so it is confirmed. */
    async reset(email: string, code: string, password: string, address: string): Promise<void> {
      const account = await redeem(email, 'reset', code, address)
      accounts.setPassword(account.id, await passwords.hash(password))
      accounts.confirm(account.id, clock.now())
      accounts.deleteTokens(account.id)
    },

    /** Sets a new password and ends the other sign-ins. */
    async updatePassword(caller: Caller, current: string, next: string, address: string): Promise<void> {
      const account = accounts.byId(caller.accountId)
      if (!account?.email) {
        const message = 'The owner of this computer signs in without a password, so there is none to change.'
        throw new Refusal(409, 'account.no-password', message)
      }
      const pair = `${address} ${account.email}`
      await limiter.take('account.too-many-tries', 'Too many wrong passwords.', ['signInPerPair', pair])
      if (!(await passwords.verify(current, account.passwordHash))) {
        const message = 'The current password is not right.'
        throw new Refusal(422, 'account.wrong-password', message, { fields: { currentPassword: [message] } })
      }
      await limiter.forget('signInPerPair', pair)
      accounts.setPassword(account.id, await passwords.hash(next))
      accounts.deleteTokens(account.id, caller.tokenHash)
    },

    /** Signs in the local owner; whoever calls this has checked the parent's secret. */
    signInLocal(): Session {
      const created: AccountRow = {
        id: LOCAL_OWNER,
        email: null,
        name: 'This computer',
        passwordHash: null,
        confirmedAt: clock.now(),
        createdAt: clock.now(),
      }
      accounts.insert(created)
      return startSession(accounts.byId(LOCAL_OWNER) ?? created)
    },

    /** Makes a confirmed account, for who owns the data folder. False where the address has one already. */
    async create(given: { name: string; email: string; password: string }): Promise<boolean> {
      return accounts.insert({
        id: idOf(given.email),
        email: given.email,
        name: given.name,
        passwordHash: await passwords.hash(given.password),
        confirmedAt: clock.now(),
        createdAt: clock.now(),
      })
    },

    /** Resolves when all mail that was promised so far is written. */
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

/** Id of the account of who started the service as a part of the panel. It has no password and no address. */
export const LOCAL_OWNER = 'local'

const userOf = (account: AccountRow): User => ({
  id: account.id,
  name: account.name,
  email: account.email,
  emailConfirmed: account.email === null ? null : account.confirmedAt !== null,
  createdAt: isoTime(account.createdAt),
})

const wrongCode = (code: string, message: string) =>
  new Refusal(422, code, message, { fields: { code: [message] } })
