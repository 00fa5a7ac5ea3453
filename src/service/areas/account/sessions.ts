import type { Session, User } from '../../../contract/areas/account.ts'
import { isoTime, type Clock } from '../../clock.ts'
import type { Caller } from '../../serve.ts'
import type { AccountRow } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { hashToken, newToken } from './secrets.ts'

/** How long a token is good, in milliseconds: 30 days. */
const TOKEN_MS = 30 * 24 * 60 * 60 * 1000

/** Id of the account of who started the service as a part of the panel. It has no password and no address. */
const LOCAL_OWNER = 'local'

interface SessionsOptions {
  store: Pick<Store, 'accounts' | 'inOneStep'>
  clock: Clock
}

export type Sessions = ReturnType<typeof createSessions>

/** Who is signed in: the tokens of accounts. */
export function createSessions({ store, clock }: SessionsOptions) {
  const { accounts } = store

  /** Signs in; to be called in the step that has found it to be right. */
  function start(account: AccountRow, addressHash: string | null): Session {
    const token = newToken()
    const now = clock.now()
    accounts.insertToken(hashToken(token), account.id, now, now + TOKEN_MS)
    if (addressHash !== null) accounts.remember(account.id, addressHash)
    return { token, expiresAt: isoTime(now + TOKEN_MS), user: userOf(account) }
  }

  return {
    start,

    /** The account of a token; null where it is unknown or expired. */
    authenticate(token: string): Caller | null {
      const tokenHash = hashToken(token)
      const accountId = accounts.tokenOwner(tokenHash, clock.now())
      return accountId === null ? null : { accountId, tokenHash }
    },

    signOut: (caller: Caller): void => accounts.deleteToken(caller.tokenHash),

    me(caller: Caller): User {
      const account = accounts.byId(caller.accountId)
      if (!account) throw new Error('a token outlived its account')
      return userOf(account)
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
        return start(accounts.byId(LOCAL_OWNER) ?? created, null)
      })
    },
  }
}

export const userOf = (account: AccountRow): User => ({
  id: account.id,
  name: account.name,
  email: account.email,
  emailConfirmed: account.email === null ? null : account.confirmedAt !== null,
  createdAt: isoTime(account.createdAt),
})
