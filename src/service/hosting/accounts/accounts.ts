import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Caller } from '../../http/serve.ts'
import type { Store } from '../../store/store.ts'
import { accountIdOf, ownerWaiter } from './sign-in/client-identity.ts'
import { Codes } from './codes.ts'
import { createGoogleSignIn } from './google/sign-in.ts'
import type { Limiter } from '../../http/limits/limiter.ts'
import type { Outbox } from '../mail/mail.ts'
import { BackgroundTasks, ownerMails, type OwnerMails } from './owner-mails.ts'
import { createPasswordChanges } from './password-changes.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { createIdentities } from './google/identities.ts'
import { createProfile } from './profile.ts'
import { createRegistration } from './registration.ts'
import { SecondFactors } from './second-factors.ts'
import { createSessions, type Sessions, type SessionOrigin } from './sessions.ts'
import { createSignIn } from './sign-in/sign-in.ts'

export interface AccountsOptions {
  store: Pick<
    Store,
    | 'accounts'
    | 'codes'
    | 'secondFactors'
    | 'identities'
    | 'promocodes'
    | 'servers'
    | 'sharing'
    | 'key'
    | 'inOneStep'
  >
  clock: Clock
  log: Logger
  passwords: Passwords
  limiter: Limiter
  outbox: Outbox
  /** Called after sign-ins have ended, so that everything they have open ends too. */
  signInsEnded: (accountId: string) => void
}

export interface AccountParts extends AccountsOptions {
  codes: Codes
  secondFactors: SecondFactors
  sessions: Sessions
  afterAnswer: BackgroundTasks
  tellOwner: OwnerMails
}

export type Accounts = ReturnType<typeof createAccounts>

/**
 * Nothing may reveal, by words or by timing, whether an address has an account: the same work is done without one,
 * and mail is sent after the answer.
 * Hashing a password is slow, so what was checked before is checked again in one step with the write
 * (`store.inOneStep`, which awaits nothing).
 */
export function createAccounts(options: AccountsOptions) {
  const { clock, log, passwords, store } = options
  const sessions = createSessions(options)
  const afterAnswer = new BackgroundTasks(log)
  const tellOwner = ownerMails(options, afterAnswer)
  const secondFactors = new SecondFactors(options, tellOwner)
  const codes = new Codes(options)
  const parts: AccountParts = { ...options, codes, secondFactors, sessions, afterAnswer, tellOwner }

  return {
    authenticate: (token: string, from?: SessionOrigin) => sessions.authenticate(token, from),
    signOut: (caller: Caller) => sessions.signOut(caller),
    me: (caller: Caller) => sessions.me(caller),
    signInLocal: () => sessions.signInLocal(),
    secondFactors,
    sessions,
    ...createProfile(parts),
    ...createRegistration(parts),
    ...createSignIn(parts),
    ...createGoogleSignIn(parts),
    ...createIdentities(parts),
    ...createPasswordChanges(parts),

    /** For the owner of the data folder: a confirmed account. False if the address is taken. */
    async create(given: { name: string; email: string; password: string }): Promise<boolean> {
      const id = accountIdOf(store.key, given.email)
      const passwordHash = await passwords.hash(given.password, ownerWaiter(id))
      const now = clock.now()
      return store.accounts.insert({ ...given, id, passwordHash, confirmedAt: now, createdAt: now })
    },

    settled: () => afterAnswer.settled(),
  }
}
