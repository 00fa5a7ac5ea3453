import type { z } from 'zod'
import type { Collaborator, ScopeEntry } from '../../contract/areas/access.ts'
import type { Scope } from '../../contract/declarations/operation.ts'
import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { Account, Subuser, timeOf } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import { permissionsFor, scopesIn } from './permissions.ts'
import { pathOf, type PanelServers } from './servers.ts'

type Person = z.input<typeof Collaborator>

/** Who shares a server. The panel adds people at once, and makes an account for an address that has none. */
export function accessOf(
  api: PanelApi,
  servers: PanelServers,
  offered: () => ReadonlySet<Scope>,
): HostOperations {
  const personOf = (user: Subuser): Person => ({
    ...{ id: user.uuid, name: user.username, email: user.email, since: timeOf(user.created_at) },
    ...{ role: scopesIn(user.permissions, offered()), state: 'active' },
  })
  return {
    'access.list': async (caller) => {
      const { me, isOwner, users } = await everybody(api, servers, caller.params.serverId, caller)
      const owner: Person = isOwner
        ? { id: 'owner', name: me.username, email: me.email, role: 'owner', you: true }
        : { id: 'owner', name: '–', role: 'owner' }
      const others = users.map((user) => ({ ...personOf(user), you: isSame(user, me) }))
      return { items: [{ ...owner, state: 'active' }, ...others], nextCursor: null }
    },
    'access.scopes': () => ({ items: scopeEntries(offered()), nextCursor: null }),
    'access.invite': async (caller) => {
      const { email, scopes } = caller.body
      const permissions = permissionsFor(known(scopes, offered()), [], offered())
      const path = `${pathOf(caller.params.serverId)}/users`
      return personOf(await api.one(path, Subuser, caller, {}, { email, permissions }))
    },
    'access.change': async (caller) => {
      const path = placeOf(caller.params)
      const before = await api.one(path, Subuser, caller)
      const wished = known(caller.body.scopes, offered())
      const permissions = permissionsFor(wished, before.permissions, offered())
      return personOf(await api.one(path, Subuser, caller, {}, { permissions }))
    },
    'access.remove': (caller) => api.send(placeOf(caller.params), caller, { method: 'DELETE' }),
  }
}

const placeOf = ({ serverId, userId }: { serverId: string; userId: string }): string =>
  `${pathOf(serverId)}/users/${encodeURIComponent(userId)}`

async function everybody(api: PanelApi, servers: PanelServers, id: string, caller: Caller) {
  const [me, { server_owner }, users] = await Promise.all([
    api.one('/account', Account, caller),
    servers.details(id, caller),
    api.page(`${pathOf(id)}/users`, Subuser, caller),
  ])
  return { me, isOwner: server_owner === true, users: users.items }
}

export interface NamedUser {
  username?: string | null | undefined
}

/** By name: Pterodactyl doesn't tell an account's own id. */
export const isSame = (one: NamedUser, other: NamedUser): boolean =>
  typeof one.username === 'string' && one.username === other.username

function known(scopes: readonly string[], offered: ReadonlySet<Scope>): Scope[] {
  const found = scopesIn(['*'], offered).filter((scope) => scopes.includes(scope))
  if (found.length < new Set(scopes).size) throw hostRefusal(422, 'request.invalid.permission')
  return found
}

const scopeEntries = (offered: ReadonlySet<Scope>): z.input<typeof ScopeEntry>[] =>
  scopesIn(['*'], offered).map((id) => ({ id }))
