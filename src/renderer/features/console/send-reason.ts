import { isStopped } from '../../../contract/rules/stopped.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { t } from '../../messages/t.svelte.ts'

/** Why the server takes no commands now, or null. If its service can't be reached, its status is not known. */
export function sendReason({ kind, reach }: Pick<ServerState, 'kind' | 'reach'>): string | null {
  if (reach !== 'ready') return null
  if (kind === 'installing') return t('power.installing')
  return isStopped(kind) ? t('command.off') : null
}
