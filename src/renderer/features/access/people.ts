import type { Collaborator } from '../../../contract/areas/access.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { missingScope } from '../../core/servers/power.ts'
import { locale, t } from '../../messages/t.svelte.ts'

export const day = (at: string | number | Date): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(at))

export const nameOf = ({ name, email, id }: Collaborator): string => name || email || id

/** Empty for owners, who need no grants. */
export const scopesOf = ({ role }: Collaborator): readonly string[] => (Array.isArray(role) ? role : [])

export const isOwner = ({ role }: Collaborator): boolean => role === 'owner'

/** Unknown states count as accepted. */
export const isInvited = ({ state }: Collaborator): boolean => state === 'invited' || state === 'expired'

/** Why nobody can be invited now, or null. */
export function inviteReason(server: ServerState): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  return missingScope(server.server?.role, ['access.write']) ? t('access.no-write') : null
}

/** Why this person's permissions can't be changed, or null. */
export function changeReason(server: ServerState, person: Collaborator): string | null {
  if (isOwner(person)) return t('access.of-owner')
  const reason = inviteReason(server)
  if (reason !== null) return reason
  if (person.you) return t('access.own')
  const role = server.server?.role
  const outranks = Array.isArray(role) && scopesOf(person).some((scope) => !role.includes(scope))
  return outranks ? t('access.outranked') : null
}
