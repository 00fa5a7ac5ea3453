import type { Logger } from 'pino'
import type { Session, User } from '../../../contract/areas/account.ts'
import type { AccountSession } from '../../../contract/areas/my-account.ts'
import { asOneLine } from '../../../contract/messages/one-line.ts'
import { isoTime, type Clock } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Caller, RequestContext } from '../../http/serve.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { hashSecret, newSecret } from '../secrets.ts'

const TOKEN_MS = 30 * 24 * 60 * 60 * 1000

/** Account of whoever started the service as part of the panel. No password, no address. */
const LOCAL_OWNER = 'local'

/** Interval of noting a token's use, in milliseconds: panels send a request every few seconds. */
const USED_MS = 5 * 60 * 1000
/** Minimum interval even if the device or address changes. */
const CHANGED_MS = 10 * 1000
const NOTED_MAX = 10_000
const DEVICE_MAX = 120

export interface SessionOrigin {
  device: string
  address: string
}

interface SessionsOptions {
  log: Logger
  store: Pick<Store, 'accounts' | 'inOneStep'>
  clock: Clock
  signInsEnded: (accountId: string) => void
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ store, clock, log, signInsEnded }: SessionsOptions) {
  const { accounts } = store
  /** Sign-ins from addresses new to the account, except its first. */
  const anew = new WeakSet<Session>()

  /** Call within the step that verified the sign-in. */
  function start(account: AccountRow, addressHash: string | null): Session {
    // The prefix makes leaks searchable.
    const token = `wh_${newSecret()}`
    const now = clock.now()
    accounts.insertToken(hashSecret(token), account.id, now, now + TOKEN_MS)
    const session = { token, expiresAt: isoTime(now + TOKEN_MS), user: userOf(account) }
    if (addressHash === null) return session
    if (accounts.isNewPlace(account.id, addressHash)) anew.add(session)
    accounts.remember(account.id, addressHash)
    return session
  }

  const note = noting({ store, clock, log })

  return {
    start,

    isAnew: (session: Session): boolean => anew.has(session),

    authenticate(token: string, from?: SessionOrigin): Caller | null {
      const tokenHash = hashSecret(token)
      const accountId = accounts.tokenOwner(tokenHash, clock.now())
      if (accountId === null) return null
      if (from) note(tokenHash, from)
      return { accountId, tokenHash }
    },

    list({ accountId, tokenHash }: Caller): AccountSession[] {
      return accounts.sessions(accountId, clock.now()).map(({ id, hash, usedAt, createdAt, ...seen }) => ({
        id,
        ...seen,
        createdAt: isoTime(createdAt),
        lastUsedAt: usedAt === null ? null : isoTime(usedAt),
        current: hash === tokenHash,
      }))
    },

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

    /** Call only after checking the parent's secret. Synchronous. */
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

function noting({ store: { accounts }, clock, log }: Pick<SessionsOptions, 'store' | 'clock' | 'log'>) {
  /** Recent notes by token: event streams authenticate on every event. */
  const noted = new Map<string, { at: number; from: string }>()

  return (tokenHash: string, { device, address }: SessionOrigin): void => {
    const at = clock.elapsed()
    const name = deviceName(device)
    const from = `${address} ${name}`
    const before = noted.get(tokenHash)
    if (before && at - before.at < (before.from === from ? USED_MS : CHANGED_MS)) return
    if (noted.size >= NOTED_MAX) noted.clear()
    noted.set(tokenHash, { at, from })
    // Not worth refusing a request, for example on a full disk.
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

export type SessionHook = (session: Session, address: string, c: RequestContext) => Session

/** `anew` is called for sign-ins from addresses new to the account. */
export const beginsSessions =
  (sessions: Sessions, anew: (accountId: string, from: SessionOrigin) => void): SessionHook =>
  (session, address, c) => {
    const device = c.req.header('user-agent') ?? ''
    const caller = sessions.authenticate(session.token, { device, address })
    if (caller && sessions.isAnew(session)) anew(caller.accountId, { device: deviceName(device), address })
    return session
  }

const deviceName = (userAgent: string): string => asOneLine(userAgent.slice(0, DEVICE_MAX))
