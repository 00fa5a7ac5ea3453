import type { ServerRef } from '../../../../contract/bridge/values.ts'
import { missingScope } from '../../../core/servers/power.ts'
import { panel } from '../../../core/panel.svelte.ts'

/** Kept per window, so it can be pasted into another server. */
export interface Clip {
  mode: 'copy' | 'cut'
  from: ServerRef
  paths: string[]
}

let held = $state.raw<Clip | null>(null)

export function clip(): Clip | null {
  return held
}

export function hold(next: Clip | null): void {
  held = next
}

export function isCut(server: ServerRef, path: string): boolean {
  return held?.mode === 'cut' && sameServer(held.from, server) && held.paths.includes(path)
}

export function sameServer(a: ServerRef, b: ServerRef): boolean {
  return a.connectionId === b.connectionId && a.serverId === b.serverId
}

interface OtherServer extends ServerRef {
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
