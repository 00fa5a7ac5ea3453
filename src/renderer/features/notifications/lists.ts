import type { Notification } from '../../../contract/areas/notifications.ts'
import { LiveView } from '../../core/live-view.svelte.ts'

const lists = new Map<string, LiveView<'notifications.list'>>()

/** The notifications of a connection; the same view for whoever asks. */
export function notificationsOf(connectionId: string): LiveView<'notifications.list'> {
  let list = lists.get(connectionId)
  if (!list) lists.set(connectionId, (list = new LiveView('notifications.list', { connectionId })))
  return list
}

/** A service that tells neither that nor when it was read says nothing of it: then all are unread. */
export const isUnread = ({ read, readAt }: Notification): boolean => read !== true && !readAt

/** How many of a list are unread, as far as is known, and whether there may be more. */
export function unreadIn({ value }: LiveView<'notifications.list'>): { count: number; more: boolean } {
  return { count: value?.items.filter(isUnread).length ?? 0, more: value?.more === true }
}
