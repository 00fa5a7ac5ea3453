import type { Notification } from '../../../contract/areas/notifications.ts'
import { LiveView } from '../../core/live-view.svelte.ts'

const lists = new Map<string, LiveView<'notifications.list'>>()

export function notificationsOf(connectionId: string): LiveView<'notifications.list'> {
  let list = lists.get(connectionId)
  if (!list) lists.set(connectionId, (list = new LiveView('notifications.list', { connectionId })))
  return list
}

/** Unread if the service says neither `read` nor `readAt`. */
export const isUnread = ({ read, readAt }: Notification): boolean => read !== true && !readAt

export function unreadIn({ value }: LiveView<'notifications.list'>): { count: number; more: boolean } {
  return { count: value?.items.filter(isUnread).length ?? 0, more: value?.more === true }
}
