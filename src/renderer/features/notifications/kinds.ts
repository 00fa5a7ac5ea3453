import type { NotificationKind } from '../../../contract/areas/notifications.ts'

const all: Record<NotificationKind, true> = {
  crash: true,
  start: true,
  stop: true,
  disk: true,
  invitation: true,
  'sign-in': true,
  promotion: true,
  leftovers: true,
  backup: true,
  schedule: true,
}
export const NOTIFICATION_KINDS = Object.keys(all) as NotificationKind[]
