import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { missingScope } from '../../../core/servers/power.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { sameServer } from './clipboard.svelte.ts'

export interface OtherServer extends ServerRef {
  name: string
}

/** Servers that files can be copied to now. */
export function otherServers(from: ServerRef): OtherServer[] {
  const connections = (panel.connections ?? []).filter(({ id }) => panel.reach(id) === 'ready')
  return connections.flatMap(({ id: connectionId }) =>
    (panel.servers(connectionId).value?.items ?? [])
      .filter(({ role }) => missingScope(role, ['files.write']) === null)
      .map(({ id: serverId, name }) => ({ connectionId, serverId, name }))
      .filter((server) => !sameServer(server, from)),
  )
}
