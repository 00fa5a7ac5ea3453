import { firstPicture } from '../core/after-picture.ts'

/** What arranges the list, and acts on several servers: loaded when somebody first touches the list. */
export const railTools = () => import('./rail/RailTools.svelte')

/** How much is unread, at one connection or at all of them: what the first picture does not need. */
export const unreadBadge = () =>
  firstPicture().then(() => import('../features/notifications/UnreadBadge.svelte'))
