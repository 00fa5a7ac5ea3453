import { LiveView } from '../../../core/live-view.svelte.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import type { Scope } from '../../../../contract/declarations/operation.ts'
import { missingScope } from '../../../core/servers/power.ts'
import { t } from '../../../messages/t.svelte.ts'

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

export function scopeReason(server: ServerState, scopes: readonly Scope[]): string | null {
  const scope = missingScope(server.server?.role, scopes)
  return scope ? t('settings.no-scope', { scope }) : null
}

/** Why settings cannot be changed, or null. */
export function changeReason(server: ServerState, scopes: readonly Scope[]): string | null {
  return server.reach === 'ready' ? scopeReason(server, scopes) : t('power.no-service')
}
