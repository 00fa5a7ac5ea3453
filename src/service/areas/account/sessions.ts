import type { Logger } from 'pino'
import type { Session, User } from '../../../contract/areas/account.ts'
import type { AccountSession } from '../../../contract/areas/my-account.ts'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import { isoTime, type Clock } from '../../base/clock.ts'
import { refusal } from '../../base/refusal.ts'
import type { Caller } from '../../http/serve.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { hashToken, newToken } from './sign-in/secrets.ts'

/** How long a token is good, in milliseconds: 30 days. */
const TOKEN_MS = 30 * 24 * 60 * 60 * 1000

/** Id of the account of who started the service as a part of the panel. It has no password and no address. */
const LOCAL_OWNER = 'local'

/** The use of a token is noted so often, in milliseconds: a panel asks something every few seconds. */
const USED_MS = 5 * 60 * 1000
/** And not more often than this, whatever the token calls itself. */
const CHANGED_MS = 10 * 1000
const NOTED_MAX = 10_000
/** So much of what calls itself a device is kept, in characters. */
export const DEVICE_MAX = 120

/** With what a token is used, as that calls itself, and from which network address. */
export interface UsedFrom {
  device: string
  address: string
}

interface SessionsOptions {
  log: Logger
  store: Pick<Store, 'accounts' | 'inOneStep'>
  clock: Clock
  /** Told after sign-ins of an account have ended. */
  signInsEnded: (accountId: string) => void
}

export type Sessions = ReturnType<typeof createSessions>

/** Who is signed in: the tokens of accounts. */
export function createSessions({ store, clock, log, signInsEnded }: SessionsOptions) {
  const { accounts } = store
  /** Sign-ins from where an account that was signed in to before was not known. */
  const anew = new WeakSet<Session>()

  /** Signs in; to be called in the step that has found it to be right. */
  function start(account: AccountRow, addressHash: string | null): Session {
    const token = newToken()
    const now = clock.now()
    accounts.insertToken(hashToken(token), account.id, now, now + TOKEN_MS)
    const session = { token, expiresAt: isoTime(now + TOKEN_MS), user: userOf(account) }
    if (addressHash === null) return session
    if (accounts.isNewPlace(account.id, addressHash)) anew.add(session)
    accounts.remember(account.id, addressHash)
    return session
  }

  const note = noting({ store, clock, log })

  return {
    start,

    /** Whether a sign-in that was just begun is the first from there, and not the first of all. */
    isAnew: (session: Session): boolean => anew.has(session),

    /** The account of a token; null where it is unknown or expired. `from`: with what and from where it is used. */
    authenticate(token: string, from?: UsedFrom): Caller | null {
      const tokenHash = hashToken(token)
      const accountId = accounts.tokenOwner(tokenHash, clock.now())
      if (accountId === null) return null
      if (from) note(tokenHash, from)
      return { accountId, tokenHash }
    },

    /** Where the account is signed in, the one used last first. */
    list({ accountId, tokenHash }: Caller): AccountSession[] {
      return accounts.sessions(accountId, clock.now()).map(({ id, hash, usedAt, createdAt, ...seen }) => ({
        id,
        ...seen,
        createdAt: isoTime(createdAt),
        lastUsedAt: usedAt === null ? null : isoTime(usedAt),
        current: hash === tokenHash,
      }))
    },

    /** Ends one sign-in of the caller's own account. */
    end({ accountId }: Caller, sessionId: string): void {
      if (accounts.endSession(accountId, sessionId)) return signInsEnded(accountId)
      throw refusal(404, 'account.session-not-found')
    },

    endOthers({ accountId, tokenHash }: Caller): void {
      accounts.deleteTokens(accountId, tokenHash)
      signInsEnded(accountId)
    },

    signOut({ accountId, tokenHash }: Caller): void {
      accounts.deleteToken(tokenHash)
      signInsEnded(accountId)
    },

    me(caller: Caller): User {
      const account = accounts.byId(caller.accountId)
      if (!account) throw new Error('a token outlived its account')
      return userOf(account)
    },

    /** Signs in the local owner; whoever calls this has checked the parent's secret. Awaits nothing. */
    signInLocal(): Session {
      const created = localOwner(clock.now())
      return store.inOneStep(() => {
        accounts.insert(created)
        return start(accounts.byId(LOCAL_OWNER) ?? created, null)
      })
    },
  }
}

const localOwner = (now: number): AccountRow => ({
  id: LOCAL_OWNER,
  email: null,
  name: 'This computer',
  passwordHash: null,
  confirmedAt: now,
  createdAt: now,
})

/** Notes when a token was used, with what and from where: at most every few minutes. Never throws. */
function noting({ store: { accounts }, clock, log }: Pick<SessionsOptions, 'store' | 'clock' | 'log'>) {
  /** What was noted lately, by token: a stream of events asks at each of them. */
  const noted = new Map<string, { at: number; from: string }>()

  return (tokenHash: string, { device, address }: UsedFrom): void => {
    const at = clock.elapsed()
    const name = asOneLine(device.slice(0, DEVICE_MAX))
    const from = `${address} ${name}`
    const before = noted.get(tokenHash)
    if (before && at - before.at < (before.from === from ? USED_MS : CHANGED_MS)) return
    if (noted.size >= NOTED_MAX) noted.clear()
    noted.set(tokenHash, { at, from })
    // It is worth no refusal: on a full disk it is not noted.
    try {
      accounts.used(tokenHash, clock.now(), name, address)
    } catch (error) {
      log.debug({ err: error }, 'the use of a token could not be noted')
    }
  }
}

export const userOf = (account: AccountRow): User => ({
  id: account.id,
  name: account.name,
  email: account.email,
  emailConfirmed: account.email === null ? null : account.confirmedAt !== null,
  createdAt: isoTime(account.createdAt),
  ...(account.language !== null && account.language !== undefined && { language: account.language }),
})
