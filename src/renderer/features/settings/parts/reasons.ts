import type { Scope } from '../../../../contract/declarations/operation.ts'
import { missingScope } from '../../../core/servers/power.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'

export function scopeReason(server: ServerState, scopes: readonly Scope[]): string | null {
  const scope = missingScope(server.server?.role, scopes)
  return scope ? t('settings.no-scope', { scope }) : null
}

/** Why settings cannot be changed, or null. */
export function changeReason(server: ServerState, scopes: readonly Scope[]): string | null {
  return server.reach === 'ready' ? scopeReason(server, scopes) : t('power.no-service')
}
