import type { Collaborator } from '../../../contract/areas/access.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { missingScope } from '../../core/servers/power.ts'
import { locale, t } from '../../messages/t.svelte.ts'

/** A day, as it is written where there is little room. */
export const day = (at: string | number | Date): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(at))

/** What somebody is called; by an id alone they can at least be told apart. */
export const nameOf = ({ name, email, id }: Collaborator): string => name || email || id

/** What somebody was granted; nothing of an owner, who needs no grant. */
export const scopesOf = ({ role }: Collaborator): readonly string[] => (Array.isArray(role) ? role : [])

export const isOwner = ({ role }: Collaborator): boolean => role === 'owner'

/** Whether somebody was invited and did not accept yet. A state that is not known counts as accepted. */
export const isInvited = ({ state }: Collaborator): boolean => state === 'invited' || state === 'expired'

/** Why nobody can be invited now; null where somebody can. */
export function inviteReason(server: ServerState): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  // Its service listens to this computer alone, so that nobody could accept.
  if (server.connection?.kind === 'local') return t('access.local')
  return missingScope(server.server?.role, ['access.write']) ? t('access.no-write') : null
}

/** Why what this person holds cannot be changed now; null where it can. */
export function changeReason(server: ServerState, person: Collaborator): string | null {
  if (isOwner(person)) return t('access.of-owner')
  const reason = inviteReason(server)
  if (reason !== null) return reason
  if (person.you) return t('access.own')
  // What was granted may have names that this panel does not know.
  const role = server.server?.role
  const outranks = Array.isArray(role) && scopesOf(person).some((scope) => !role.includes(scope))
  return outranks ? t('access.outranked') : null
}
