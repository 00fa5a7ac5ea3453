import { RUNS_PROGRAMS } from '../../../contract/pure/scopes.ts'
import { type Scope, SCOPES } from '../../../contract/areas/operation.ts'
import type { Found } from '../../access.ts'
import { Refusal } from '../../refusal.ts'

/** Who shares a server: an account and what it holds there now. */
export interface Sharer {
  accountId: string
  held: Found['held']
}

/** Scopes by their ids, with the one that all others need. Throws 422 where there is no such scope. */
export function scopesOf(ids: readonly string[]): readonly Scope[] {
  const unknown = ids.find((id) => !SCOPES.some((scope) => scope === id))
  if (unknown !== undefined) {
    const message = `This service has no permission ${unknown.slice(0, 60)}. Choose from its catalog.`
    throw new Refusal(422, 'access.scope-not-known', message, { fields: { scopes: [message] } })
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
    const message = `Only the owner can grant ${powerful.join(', ')}: it lets somebody run programs on the server's computer.`
    throw new Refusal(403, 'access.owner-only', message, { fields: { scopes: [message] } })
  }
  const beyond = scopes.filter((scope) => !held.includes(scope))
  if (beyond.length === 0) return
  const message = `You can't grant ${beyond.join(', ')}, because you don't have it yourself. Ask the owner of the server.`
  throw new Refusal(403, 'access.beyond-own', message, { fields: { scopes: [message] } })
}

/**
 * Whether somebody may change what another one holds: nobody their own, and nobody of those who hold something that they
 * do not. Throws 403 `access.own-grant`, `access.outranked`.
 */
export function requireMayChange(
  { accountId, held }: Sharer,
  other: { id: string; scopes: readonly Scope[] },
): void {
  if (other.id === accountId)
    throw new Refusal(
      403,
      'access.own-grant',
      "You can't change your own permissions. Ask the owner of the server.",
    )
  if (held === 'owner' || other.scopes.every((scope) => held.includes(scope))) return
  const message =
    "This person has permissions that you don't have. Ask the owner of the server to change them."
  throw new Refusal(403, 'access.outranked', message)
}
