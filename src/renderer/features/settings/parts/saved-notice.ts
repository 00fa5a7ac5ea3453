import { power } from '../../../catalog/servers/server-menu.ts'
import { mayPower } from '../../../core/servers/power.ts'
import type { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { SavedNotice } from './unsaved-settings.svelte.ts'

/** What is said after saving; with a restart if one is needed, and only until then. */
export function savedNotice(
  server: ServerState,
  needsRestart: boolean,
  holds: () => boolean = () => true,
): SavedNotice {
  if (!needsRestart) return { text: () => t('settings.saved'), isLater: false, holds }
  const { connectionId, serverId, since } = server
  return {
    text: () => t('settings.saved-restart'),
    isLater: true,
    holds: () => holds() && server.since === since,
    action: mayPower('restart', server.server?.role)
      ? { label: () => t('power.restart'), run: () => power({ connectionId, serverId }, 'restart') }
      : undefined,
  }
}
