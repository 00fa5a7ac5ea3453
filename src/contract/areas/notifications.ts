import { z } from 'zod'
import { wrong } from '../messages/refusals/wrong.ts'
import { alsoNamed, ID_NAMES, idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { always, maybe } from '../declarations/fields.ts'
import { all, json, list, openEnum, Paging, type Scope, Time } from '../declarations/operation.ts'

const { read, write } = area('notifications')

/**
 * What our service tells of. `disk`: nearly full; `sign-in`: from an address that was not known; `leftovers`: files of a deleted
 * server that could not be deleted.
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
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Notifications that our service keeps of one account, and that the panel reads of any. */
export const NOTIFICATIONS_KEPT = 200
/** Servers that can be muted. */
export const MUTED_SERVERS_MAX = 500

/** What the sentence of a kind is made of, so that the panel can say it in its own language. */
export const NotificationValues = z.object({
  /** Name of the server. */
  server: maybe.text,
  /** Name of who did it. */
  by: maybe.text,
  /** What was done, where the kind leaves that open: `restart`, `kill`. */
  action: maybe.text,
  exitCode: maybe.whole,
  /** Bytes. */
  usedBytes: maybe.number,
  limitBytes: maybe.number,
  freeBytes: maybe.number,
  /** What signed in, as it calls itself, and from which network address. */
  device: maybe.text,
  address: maybe.text,
  /** Name of a promotion. */
  promotion: maybe.text,
  /** Where files are left, in the service's data folder. */
  folder: maybe.text,
  /** When it ends. */
  until: Time.nullish(),
})
export type NotificationValues = z.output<typeof NotificationValues>

/** Something the account is to know. Only how it is told apart from others has to be there. */
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
    }).nullish(),
    /** In the account's language. */
    title: maybe.text,
    body: maybe.text,
    serverId: maybe.text,
    createdAt: Time.nullish(),
    /** Absent or null: not read. */
    readAt: Time.nullish(),
    /** Of services that tell no time of it. */
    read: maybe.flag,
    values: NotificationValues.nullish(),
  }),
  ['notification'],
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

/** When nothing is to be pushed, every day: from a time to a time, over midnight where it ends before it begins. */
export const QuietHours = z.object({
  /** Times of day, `22:00`. */
  begins: always.text,
  ends: always.text,
  /** IANA name, such as `Europe/Berlin`. */
  timeZone: always.text,
})
export type QuietHours = z.infer<typeof QuietHours>

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, wrong('request.invalid.time'))

/** Quiet hours that can be asked for. */
const WishedHours = z.object({ begins: TimeOfDay, ends: TimeOfDay, timeZone: z.string().min(1).max(60) })

/** What an account does not want to be told. */
export const NotificationSettings = alsoNamed(
  z.object({
    mutedKinds: z.array(z.string()).nullish(),
    /** Ids of servers of which nothing is told. */
    mutedServers: z.array(z.string()).nullish(),
    quietHours: QuietHours.nullish(),
  }),
  ['settings', 'preferences'],
)
export type NotificationSettings = z.output<typeof NotificationSettings>

/** Data of the events on the stream of an account. */
export const accountEvents = {
  /** How many are unread is not what it was. The notification is given where one came and may be pushed now. */
  notification: z.object({
    unread: maybe.count,
    notification: Notification.nullish(),
  }),
  /** Which servers the account has, or is invited to, is not what it was. */
  servers: z.object({}),
  /** What it holds at a server is not what it was. */
  scopes: z.object({ serverId: maybe.text }),
  /** This sign-in has ended; the stream ends after that. */
  'signed-out': z.object({}),
}
export type AccountEventName = keyof typeof accountEvents

/** The stream is about the account alone: nothing has to be held at a server for it. */
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
    path: '/users/me/events',
    origin: 'extension',
    answer: { kind: 'events', needs: NO_NEEDS },
    bridge: 'own',
    keep: 'never',
  }),
}
