import type { Notification } from '../../../contract/areas/notifications.ts'
import { panel, connectionName } from '../../core/panel.svelte.ts'
import { route } from '../../core/routes/router.svelte.ts'
import { statusKind } from '../../core/servers/status.ts'
import { t } from '../../messages/t.svelte.ts'
import { dismiss, notices, notify } from '../../ui/feedback/notices.svelte.ts'
import { isUnread, notificationsOf } from './lists.ts'
import { goTo, placeOf } from './place.ts'
import { markRead } from './mark-read.svelte.ts'
import { said } from './said.ts'

/** Nobody asked for it, so a failure is not told. */
export const readSeen = (connectionId: string, ids: readonly string[]): Promise<void> =>
  markRead(connectionId, ids, { quietly: true })

/** These stay on the screen until dismissed. */
const STAYS: ReadonlySet<unknown> = new Set(['crash', 'disk', 'sign-in', 'leftovers', 'backup', 'schedule'])

/** Limit, so notices of the user's own actions stay visible. */
const AT_ONCE = 2

/** Whether a crash is news: its server has not been started again, and isn't what is on the screen. */
function isAhead(connectionId: string, serverId: string | null | undefined): boolean {
  const at = route()
  if (at.view === 'server' && at.connectionId === connectionId && at.serverId === serverId) return false
  const status = serverId ? panel.server(connectionId, serverId)?.status : null
  return !status || statusKind(status) === 'crashed'
}

export function showArrival(connectionId: string, notification: Notification): void {
  const connection = panel.connection(connectionId)
  if (!connection || !isUnread(notification)) return
  const still = () => {
    if (notification.kind === 'crash' && !isAhead(connectionId, notification.serverId)) return false
    const now = notificationsOf(connectionId).value?.items.find(({ id }) => id === notification.id)
    return panel.connection(connectionId) !== null && (!now || isUnread(now))
  }
  const others = notices().filter(({ about }) => about === 'notifications')
  others.slice(AT_ONCE - 1).forEach(({ id }) => dismiss(id))
  notify({
    tone: STAYS.has(notification.kind) ? 'warning' : 'done',
    text: () => said(notification).title,
    more: () => connectionName(connection),
    about: 'notifications',
    holds: still,
    ...(placeOf(connectionId, notification) && {
      action: {
        label: () => t('notifications.show'),
        run() {
          void markRead(connectionId, [notification.id])
          goTo(connectionId, notification)
        },
      },
    }),
  })
}
