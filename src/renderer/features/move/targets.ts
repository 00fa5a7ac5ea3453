import type { Connection, Server, ServerRef } from '../../../contract/bridge/values.ts'
import { connectionName, panel } from '../../core/panel.svelte.ts'
import { missingScope } from '../../core/servers/power.ts'
import { t, type Words } from '../../messages/t.svelte.ts'

/** `id` is one's own: names may be equal. Null as `connectionId`: this computer, whose service isn't started yet. */
export type MoveTarget = { id: string; label: Words } & (
  { kind: 'new'; connectionId: string | null } | { kind: 'server'; ref: ServerRef }
)

/** Services that create servers, and servers of hosts whose files may be written. */
export function targetsFor(from: ServerRef, connections: readonly Connection[]): MoveTarget[] {
  const others = connections.filter(
    ({ id, kind, state }) => kind === 'local' || (id !== from.connectionId && state.kind === 'ready'),
  )
  const hasLocal = others.some(({ kind }) => kind === 'local')
  const isHere = connections.some(({ id, kind }) => id === from.connectionId && kind === 'local')
  const services = others
    .filter(({ kind, id }) => kind !== 'host' && id !== from.connectionId)
    .map((one): MoveTarget => newAt(one.id, () => connectionName(one)))
  const here = newAt(null, () => t('start.local'))
  const hosts = connections.filter(({ kind, state }) => kind === 'host' && state.kind === 'ready')
  return [
    ...(hasLocal || isHere ? [] : [here]),
    ...services,
    ...hosts.flatMap((host) => serversOf(host, from)),
  ]
}

const newAt = (connectionId: string | null, label: Words): MoveTarget => ({
  ...{ id: `new ${connectionId}`, kind: 'new', connectionId, label },
})

function serversOf(host: Connection, from: ServerRef): MoveTarget[] {
  const isOffered = ({ id, role }: Server) =>
    missingScope(role, ['files.read', 'files.write']) === null &&
    !(host.id === from.connectionId && id === from.serverId)
  const servers = panel.servers(host.id).value?.items ?? []
  return servers.filter(isOffered).map(({ id, name }) => ({
    ...{ id: `${host.id} ${id}`, kind: 'server', ref: { connectionId: host.id, serverId: id } },
    label: () => t('relocate.at', { server: name, connection: connectionName(host) }),
  }))
}
