import { EXAROTON } from '../../contract/rules/hosts.ts'
import type { User } from '../../contract/areas/account.ts'
import type { Connection, ConnectionState } from '../../contract/bridge/values.ts'
import type { ConnectionRecord, RecordUser } from './connection-records.ts'

export interface Identity extends Omit<ConnectionRecord, 'kind'> {
  kind: Exclude<Connection['kind'], 'host'>
}

/** What a connection is called until somebody renames it. */
export const nameAt = (baseUrl: string): string => (baseUrl === EXAROTON ? 'exaroton' : new URL(baseUrl).host)

export function recordOf({ kind: _kind, ...rest }: Identity): ConnectionRecord {
  return { ...rest, kind: 'service' }
}

export function recordUser(user: User): RecordUser {
  return { id: user.id ?? null, name: user.name ?? null, email: user.email ?? null }
}

export function newsOf(held: RecordUser | null, user: User): RecordUser | undefined {
  const next = recordUser(user)
  return JSON.stringify(held) === JSON.stringify(next) ? undefined : next
}

/** Ignores case. Missing emails never match. */
export function sameEmail(user: RecordUser | null, email: string | null): boolean {
  return Boolean(user?.email) && user?.email?.toLowerCase() === email?.toLowerCase()
}

/**
 * Whether a sign-in resumes this connection. If the service names no user, it resumes an expired connection of an
 * unknown user.
 */
export function sameUser(held: RecordUser | null, state: ConnectionState, user: RecordUser | null): boolean {
  if (!user || !held) return !user && !held && state.kind === 'signed-out'
  if (user.id !== null && held.id !== null) return user.id === held.id
  return sameEmail(held, user.email)
}
