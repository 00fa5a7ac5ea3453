import type { User } from '../../contract/areas/account.ts'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import type { ConnectionRecord, RecordUser } from './connection-records.ts'

/** What a connection is made of. */
export interface Identity {
  id: string
  kind: Connection['kind']
  name: string
  baseUrl: string
  user: RecordUser | null
  expiresAt: string | null
  tokenKept: Connection['tokenKept']
}

/** What is kept of a connection between starts. */
export function recordOf({ kind: _kind, ...rest }: Identity): ConnectionRecord {
  return { ...rest, kind: 'service' }
}

/** The account's name and email as a record holds them. */
export function recordUser(user: User): RecordUser {
  return { id: user.id ?? null, name: user.name ?? null, email: user.email ?? null }
}

/** What a record must learn of the user, if anything. */
export function newsOf(held: RecordUser | null, user: User): RecordUser | undefined {
  const next = recordUser(user)
  return JSON.stringify(held) === JSON.stringify(next) ? undefined : next
}

/** Compared without regard to case. Where either is missing they are not the same. */
export function sameEmail(user: RecordUser | null, email: string | null): boolean {
  return Boolean(user?.email) && user?.email?.toLowerCase() === email?.toLowerCase()
}

/**
 * Whether a sign-in goes on with a connection to the same service. Where the service does not tell whose a token is, it
 * goes on with a connection of an unknown user that has ended.
 */
export function sameUser(held: RecordUser | null, state: ConnectionState, user: RecordUser | null): boolean {
  if (!user || !held) return !user && !held && state.kind === 'signed-out'
  if (user.id !== null && held.id !== null) return user.id === held.id
  return sameEmail(held, user.email)
}
