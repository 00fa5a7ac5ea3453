import type { Notification } from '../../../contract/areas/notifications.ts'
import type { ServerRef } from '../../../contract/bridge/values.ts'

const id = encodeURIComponent

export const serverPlace = ({ connectionId, serverId }: ServerRef, tab: string): string =>
  `#/c/${id(connectionId)}/s/${id(serverId)}/${tab}`

export const connectionPlace = (connectionId: string): string => `#/c/${id(connectionId)}`
export const NOTIFICATIONS_PLACE = '#/notifications'
export const HOME_PLACE = '#/'
export const SETTINGS_PLACE = '#/settings'

export function notificationPlace(connectionId: string, { kind, serverId }: Notification): string {
  const tab = (name: string) => serverId && serverPlace({ connectionId, serverId }, name)
  switch (kind) {
    case 'invitation':
    case 'sign-in':
    case 'promotion':
      return connectionPlace(connectionId)
    case 'crash':
      return tab('console') || NOTIFICATIONS_PLACE
    case 'disk':
      return tab('files') || connectionPlace(connectionId)
    default:
      return tab('overview') || NOTIFICATIONS_PLACE
  }
}

/** Replacement for a place that moved to another window; null if unchanged. */
export function placeLeft(place: string): string | null {
  const [, server, tab] = /^(#\/c\/[^/]+\/s\/[^/]+)\/(console|files)(?:\?.*)?$/.exec(place) ?? []
  if (server === undefined) return null
  return tab === 'files' ? `${server}/files` : `${server}/overview`
}

export function placeAt(address: string, page: string): string {
  const begin = address.indexOf('#')
  const place = address.startsWith(page) && begin > 0 ? address.slice(begin) : HOME_PLACE
  return [place, place.split('?', 1).join()].find(isPlace) ?? HOME_PLACE
}

export const PLACE_MOST = 2000

/** Guards against places that lead out of the page. */
export const isPlace = (text: string): boolean =>
  text.length <= PLACE_MOST && /^#\/[\w\-./%?=&+~!'()*]*$/.test(text)
