import { missingScope } from '../../../core/servers/power.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'

export function packReason(server: ServerState): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  const scope = missingScope(server.server?.role, ['software.write'])
  if (scope) return t('power.no-scope', { scope })
  if (server.kind === 'installing') return t('modpacks.at-work')
  return server.isRunning ? t('modpacks.stop-first') : null
}
