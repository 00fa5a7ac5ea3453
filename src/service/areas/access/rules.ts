import { RUNS_PROGRAMS } from '../../../contract/rules/scopes.ts'
import { type Scope, SCOPES } from '../../../contract/declarations/operation.ts'
import type { Found } from '../../base/access.ts'
import { refusal } from '../../base/refusal.ts'

/** Who shares a server: an account and what it holds there now. */
export interface Sharer {
  accountId: string
  held: Found['held']
}

/** Scopes by their ids, with the one that all others need. Throws 422 where there is no such scope. */
export function scopesOf(ids: readonly string[]): readonly Scope[] {
  const unknown = ids.find((id) => !SCOPES.some((scope) => scope === id))
  if (unknown !== undefined) {
    throw refusal(422, 'access.scope-not-known', { scope: unknown.slice(0, 60) }).at('scopes')
  }
  // Nobody can use a server without seeing it.
  return SCOPES.filter((scope) => scope === 'server.read' || ids.includes(scope))
}

/**
 * Whether somebody may grant these scopes: the owner all, others what they hold themselves, and nobody but the owner
 * what lets somebody run programs. Throws 403 `access.beyond-own`, `access.owner-only`.
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
 * Whether somebody may change what another one holds: nobody their own, and nobody of those who hold something that they
 * do not. Throws 403 `access.own-grant`, `access.outranked`.
 */
export function requireMayChange(
  { accountId, held }: Sharer,
  other: { id: string; scopes: readonly Scope[] },
): void {
  if (other.id === accountId) throw refusal(403, 'access.own-grant')
  if (held === 'owner' || other.scopes.every((scope) => held.includes(scope))) return
  throw refusal(403, 'access.outranked')
}
