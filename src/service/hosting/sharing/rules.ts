import { RUNS_PROGRAMS } from '../../../contract/rules/scopes.ts'
import { type Scope, SCOPES } from '../../../contract/declarations/operation.ts'
import type { AccessGrant } from '../../base/access.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Limiter } from '../../http/limits/limiter.ts'

export interface Sharer {
  accountId: string
  held: AccessGrant['held']
}

/** Adds the scope that all others need. Throws 422 for unknown scopes. */
export function scopesOf(ids: readonly string[]): readonly Scope[] {
  const unknown = ids.find((id) => !SCOPES.some((scope) => scope === id))
  if (unknown !== undefined) {
    throw refusal(422, 'access.scope-not-known', { scope: unknown.slice(0, 60) }).at('scopes')
  }
  return SCOPES.filter((scope) => scope === 'server.read' || ids.includes(scope))
}

/**
 * Owners may grant everything; others only what they hold, except running programs. Throws 403 `access.beyond-own`,
 * `access.owner-only`.
 */
export function requireGrantable({ held }: Sharer, scopes: readonly Scope[]): void {
  if (held === 'owner') return
  const powerful = scopes.filter((scope) => RUNS_PROGRAMS.has(scope))
  if (powerful.length > 0) {
    throw refusal(403, 'access.owner-only', { scopes: powerful.join(', ') }).at('scopes')
  }
  const beyond = scopes.filter((scope) => !held.includes(scope))
  if (beyond.length === 0) return
  throw refusal(403, 'access.beyond-own', { scopes: beyond.join(', ') }).at('scopes')
}

/**
 * Nobody changes their own scopes, or those of a member with scopes they lack. Throws 403 `access.own-grant`,
 * `access.outranked`.
 */
export function requireMayChange(
  { accountId, held }: Sharer,
  other: { id: string; scopes: readonly Scope[] },
): void {
  if (other.id === accountId) throw refusal(403, 'access.own-grant')
  if (held === 'owner' || other.scopes.every((scope) => held.includes(scope))) return
  throw refusal(403, 'access.outranked')
}

/**
 * Sender limits come first, so that exhausting them affects only that sender. The limit shared per address excludes
 * each sender's first of a day, so nobody can block an owner's invitation. Throws 429 `access.too-many-invitations`.
 */
export function countInvitation(limiter: Limiter, accountId: string, email: string): void {
  const pair = `${accountId} ${email}`
  limiter.take(['invitesPerAccount', accountId], ['invitesPerPair', pair])
  const isFirst = limiter.tryAll(['inviteFirst', pair])
  limiter.take([isFirst ? 'invitesFirstPerEmail' : 'invitesPerEmail', email])
}
