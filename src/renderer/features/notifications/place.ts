import type { Notification } from '../../../contract/areas/notifications.ts'
import { type SectionRequest, askPart } from '../../core/asked-part.svelte.ts'
import { href, type Route } from '../../core/routes/route.ts'
import { go } from '../../core/routes/router.svelte.ts'

type NotificationTarget = Exclude<Route, { view: 'unknown' }>

export function placeOf(
  connectionId: string,
  { kind, serverId, values }: Notification,
): { route: NotificationTarget; part: SectionRequest['part'] | null } | null {
  const page = { view: 'connection', connectionId } as const
  const tab = (name: 'overview' | 'console' | 'files') =>
    serverId ? { route: { view: 'server', connectionId, serverId, tab: name } as const, part: null } : null
  switch (kind) {
    case 'invitation':
      return { route: page, part: 'invitations' }
    case 'sign-in':
      return { route: { view: 'accounts', connectionId, section: 'devices' }, part: null }
    case 'promotion':
      return { route: { view: 'accounts', connectionId, section: 'plan' }, part: null }
    case 'crash':
      return tab('console')
    case 'backup':
    case 'schedule': {
      const isOverdue = values?.action === 'overdue'
      const section = kind === 'backup' && !isOverdue ? 'backups' : 'schedules'
      return serverId
        ? { route: { view: 'server', connectionId, serverId, tab: 'settings', section }, part: null }
        : null
    }
    case 'disk':
      return tab('files') ?? { route: page, part: null }
    default:
      return tab('overview')
  }
}

export function addressOf(connectionId: string, notification: Notification): string | undefined {
  const place = placeOf(connectionId, notification)
  return place ? href(place.route) : undefined
}

export function goTo(connectionId: string, notification: Notification): void {
  const place = placeOf(connectionId, notification)
  if (!place) return
  if (place.part) askPart({ connectionId, part: place.part })
  go(place.route)
}
