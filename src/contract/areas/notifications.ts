import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import {
  all,
  json,
  list,
  openEnum,
  Paging,
  type Scope,
  Time,
  always,
  maybe,
} from '../declarations/operation.ts'

const { read, write } = area('notifications')

/**
 * `disk`: nearly full. `sign-in`: from an unknown address. `leftovers`: of a deleted server, couldn't be deleted.
 * `backup`: one failed or is overdue, or its copy at `target` failed. `schedule`: it failed, was interrupted or paused.
 */
export const NOTIFICATION_KINDS = [
  'crash',
  'start',
  'stop',
  'invitation',
  'disk',
  'sign-in',
  'promotion',
  'leftovers',
  'backup',
  'schedule',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Kept per account by our service, and read from any service. */
export const NOTIFICATIONS_KEPT = 200
export const MUTED_SERVERS_MAX = 500

/** Parameters of the kind's sentence, so that the panel can translate it. */
export const NotificationValues = z.object({
  server: maybe.text,
  by: maybe.text,
  /** If the kind leaves it open: `restart`, `kill`; `failed`, `interrupted`, `paused`; `overdue`. */
  action: maybe.text,
  exitCode: maybe.whole,
  usedBytes: maybe.number,
  limitBytes: maybe.number,
  freeBytes: maybe.number,
  /** Client as it names itself, and its network address. */
  device: maybe.text,
  address: maybe.text,
  promotion: maybe.text,
  folder: maybe.text,
  until: Time.nullish(),
  schedule: maybe.text,
  target: maybe.text,
})
export type NotificationValues = z.output<typeof NotificationValues>

/** Only its identity is required. */
export const Notification = alsoNamed(
  z.object({
    id: idOf('notification', z.string().min(1)),
    kind: openEnum(NOTIFICATION_KINDS, {
      crash: ['crashed', 'server-crashed', 'server-crash'],
      start: ['started', 'server-started', 'server-start'],
      stop: ['stopped', 'server-stopped', 'server-stop'],
      invitation: ['invite', 'invited'],
      disk: ['disk-full', 'disk-nearly-full', 'storage'],
      'sign-in': ['login', 'new-device', 'new-login'],
      promotion: ['promo', 'promocode'],
      leftovers: [],
      backup: ['backup-failed', 'backup-error'],
      schedule: ['schedule-failed', 'task', 'task-failed'],
    }).nullish(),
    title: maybe.text,
    body: maybe.text,
    serverId: maybe.text,
    createdAt: Time.nullish(),
    /** Absent or null: unread. */
    readAt: Time.nullish(),
    /** From services that report no time. */
    read: maybe.flag,
    values: NotificationValues.nullish(),
  }),
  {
    id: ID_NAMES,
    kind: ['type', 'event', 'category'],
    title: ['subject', 'headline'],
    body: ['text', 'message', 'content', 'description'],
    createdAt: ['created', 'time', 'timestamp', 'at', 'date', 'sentAt'],
    readAt: ['seenAt'],
    read: ['isRead', 'seen'],
    values: ['data'],
  },
)
export type Notification = z.output<typeof Notification>

/** Daily; spans midnight if it ends before it begins. */
export const QuietHours = z.object({
  /** `22:00`. */
  begins: always.text,
  ends: always.text,
  /** IANA name, such as `Europe/Berlin`. */
  timeZone: always.text,
})
export type QuietHours = z.infer<typeof QuietHours>

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, fieldError('request.invalid.time'))

const WishedHours = z.object({ begins: TimeOfDay, ends: TimeOfDay, timeZone: z.string().min(1).max(60) })

export const NotificationSettings = z.object({
  mutedKinds: z.array(z.string()).nullish(),
  mutedServers: z.array(z.string()).nullish(),
  quietHours: QuietHours.nullish(),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

export const accountEvents = {
  /** The unread count changed. `notification` is present if one arrived and may be pushed now. */
  notification: z.object({
    unread: maybe.count,
    notification: Notification.nullish(),
  }),
  servers: z.object({}),
  scopes: z.object({ serverId: maybe.text }),
  /** This session has ended; the stream ends too. */
  'signed-out': z.object({}),
}
export type AccountEventName = keyof typeof accountEvents

/** Account events need no scope at a server. */
const NO_NEEDS = {} as const satisfies Record<string, Scope>

export const notifications = {
  list: read({
    id: 'notifications.list',
    summary: "List the account's notifications, newest first",
    path: '/notifications/me',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
    query: Paging,
    answer: list(Notification, 'id'),
    pages: all(NOTIFICATIONS_KEPT),
    keep: 'disk',
  }),
  read: write({
    id: 'notifications.read',
    summary: 'Mark notifications as read',
    rate: { burst: 60, perSecond: 2 },
    method: 'POST',
    path: '/notifications/read',
    origin: 'assumed',
    body: z.object({
      ids: z
        .array(idOf('notification', z.string().min(1).max(200)))
        .min(1)
        .max(NOTIFICATIONS_KEPT),
    }),
    stale: ['notifications.list'],
    bridge: 'pass',
  }),
  settings: read({
    id: 'notifications.settings',
    summary: 'Get the notification settings',
    path: '/notifications/settings',
    origin: 'extension',
    answer: json(NotificationSettings),
    keep: 'disk',
  }),
  changeSettings: write({
    id: 'notifications.change-settings',
    summary: 'Change the given notification settings',
    rate: { burst: 60, perSecond: 1 },
    method: 'PATCH',
    path: '/notifications/settings',
    origin: 'extension',
    body: z.object({
      mutedKinds: z.array(z.string().min(1).max(60)).max(50).optional(),
      mutedServers: z.array(z.string().min(1).max(200)).max(MUTED_SERVERS_MAX).optional(),
      quietHours: WishedHours.nullable().optional(),
    }),
    answer: json(NotificationSettings),
    bridge: 'pass',
    puts: 'notifications.settings',
  }),
  events: read({
    id: 'notifications.events',
    summary: 'Open the event stream of the account',
    // Starts by reading all notifications of the account.
    rate: { burst: 60, perSecond: 1 },
    path: '/users/me/events',
    origin: 'extension',
    answer: { kind: 'events', needs: NO_NEEDS },
    bridge: 'own',
    keep: 'never',
  }),
}
