import type { Notification } from '../../../contract/areas/notifications.ts'
import { LiveView } from '../../core/live-view.svelte.ts'
import { panel } from '../../core/panel.svelte.ts'

const lists = new Map<string, LiveView<'notifications.list'>>()

export function notificationsOf(connectionId: string): LiveView<'notifications.list'> {
  let list = lists.get(connectionId)
  if (!list) lists.set(connectionId, (list = new LiveView('notifications.list', { connectionId })))
  return list
}

/** Unread if the service says neither `read` nor `readAt`. */
export const isUnread = ({ read, readAt }: Notification): boolean => read !== true && !readAt

/** A crash is over once its server is online again. */
const isOver = (connectionId: string, { kind, serverId }: Notification): boolean =>
  kind === 'crash' && !!serverId && panel.server(connectionId, serverId)?.status === 'online'

/** What still needs somebody. */
export function unreadIn({ value, input }: LiveView<'notifications.list'>): { count: number; more: boolean } {
  const counts = (one: Notification) => isUnread(one) && !isOver(input.connectionId, one)
  return { count: value?.items.filter(counts).length ?? 0, more: value?.more === true }
}

/** Unread crashes of a server: its page shows them. */
export const unreadCrashes = (connectionId: string, serverId: string): string[] =>
  (notificationsOf(connectionId).value?.items ?? [])
    .filter((one) => one.kind === 'crash' && one.serverId === serverId && isUnread(one))
    .map(({ id }) => id)
