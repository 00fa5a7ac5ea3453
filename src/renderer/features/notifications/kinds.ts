import type { NotificationKind } from '../../../contract/areas/notifications.ts'

/** Every kind that can be muted, in the order in which they are shown. */
const all: Record<NotificationKind, true> = {
  crash: true,
  stop: true,
  start: true,
  disk: true,
  invitation: true,
  'sign-in': true,
  promotion: true,
  leftovers: true,
}
export const NOTIFICATION_KINDS = Object.keys(all) as NotificationKind[]
