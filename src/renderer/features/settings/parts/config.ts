import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'

type ConfigView = LiveView<'servers.read-config'>
const views = new WeakMap<ServerState, ConfigView>()

/** Shared by the sections of a server's settings. */
export function configOf(server: ServerState): ConfigView {
  const { connectionId, serverId } = server
  const view =
    views.get(server) ?? new LiveView('servers.read-config', { connectionId, params: { serverId } })
  views.set(server, view)
  return view
}
