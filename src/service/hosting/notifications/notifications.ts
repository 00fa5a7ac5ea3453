import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { z } from 'zod'
import {
  type Notification,
  NOTIFICATION_KINDS,
  type NotificationKind,
  NotificationSettings,
  NotificationValues,
  type QuietHours,
} from '../../../contract/areas/notifications.ts'
import type { GrantedScopes, ServerAccess } from '../../base/access.ts'
import { type AgingClock, isoTime } from '../../base/clock.ts'
import { refusal } from '../../../host/refusal.ts'
import type { NotificationRow } from '../../store/notifications.ts'
import type { Store } from '../../store/store.ts'
import { isQuiet, isTimeZone } from '../../../contract/rules/quiet-hours.ts'
import { wordsOf } from '../../../contract/messages/notification-words.ts'

const KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** Per event. Slow readers fetch the list. */
const PUSHED_MOST = 20

export interface NotificationDraft {
  kind: NotificationKind
  /** Hidden from accounts that can't read this server; deleted with it. */
  serverId?: string
  /** Deleted with the invitation; replaces earlier notifications about it. */
  invitationId?: string
  /** Listed as read: the account did it itself. */
  isRead?: boolean
  values?: z.input<typeof NotificationValues>
}

type NotificationInput = z.input<typeof Notification>
interface Settings {
  mutedKinds: NotificationKind[]
  mutedServers: string[]
  quietHours: QuietHours | null
}

interface NotificationsOptions {
  store: Pick<Store, 'accounts' | 'notifications' | 'inOneStep'>
  access: Pick<ServerAccess, 'byId' | 'held'>
  clock: AgingClock
  log: Logger
  changed: (accountId: string) => void
}

/** Bounded per account, by count and age. */
export class Notifications {
  readonly #options: NotificationsOptions

  constructor(options: NotificationsOptions) {
    this.#options = options
  }

  /** Respects settings and permissions. Never throws: failing to notify must not fail the action. */
  tell(
    accountId: string,
    { kind, serverId, invitationId, isRead = false, values = {} }: NotificationDraft,
  ): void {
    const { store, clock, log, changed } = this.#options
    try {
      const { mutedKinds, mutedServers } = this.settings(accountId)
      if (mutedKinds.includes(kind)) return
      if (serverId !== undefined && (mutedServers.includes(serverId) || !this.#mayRead(accountId, serverId)))
        return
      store.notifications.forgetOld(clock.seen() - KEPT_MS)
      if (invitationId !== undefined) store.notifications.forgetInvitation(accountId, invitationId)
      const kept = store.notifications.insert({
        id: randomUUID(),
        accountId,
        kind,
        serverId: serverId ?? null,
        invitationId: invitationId ?? null,
        said: JSON.stringify(values),
        createdAt: clock.now(),
        agesFrom: clock.seen(),
        readAt: isRead ? clock.now() : null,
      })
      if (kept) changed(accountId)
    } catch (error) {
      log.warn({ err: error, kind }, 'a notification could not be kept')
    }
  }

  /** Newest first, before number `before`. */
  page(
    accountId: string,
    before: number,
    limit: number,
  ): { items: NotificationInput[]; next: number | null } {
    const rows = this.#visible(accountId).filter(({ seq }) => seq < before)
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return { items: this.#shown(accountId, shown), next: rows.length > limit && last ? last.seq : null }
  }

  /** Ignores ids of other accounts. */
  markRead(accountId: string, ids: readonly string[]): void {
    const { store, clock, changed } = this.#options
    const some = store.inOneStep(() => {
      const now = clock.now()
      return ids.filter((id) => store.notifications.markRead(accountId, id, now)).length > 0
    })
    if (some) changed(accountId)
  }

  settings(accountId: string): Settings {
    const kept = NotificationSettings.safeParse(
      JSON.parse(this.#options.store.notifications.settings(accountId) ?? '{}'),
    )
    const { mutedKinds, mutedServers, quietHours } = kept.success ? kept.data : {}
    return {
      mutedKinds: (mutedKinds ?? []).filter(isKind),
      mutedServers: mutedServers ?? [],
      quietHours: quietHours ?? null,
    }
  }

  /** Throws Refusal 422 `request.invalid`. */
  changeSettings(
    accountId: string,
    wish: {
      mutedKinds?: string[] | undefined
      mutedServers?: string[] | undefined
      quietHours?: QuietHours | null | undefined
    },
  ): Settings {
    const { store } = this.#options
    const { mutedKinds, mutedServers, quietHours } = wish
    const strange = mutedKinds?.find((kind) => !isKind(kind))
    if (strange !== undefined)
      throw refusal(422, 'request.invalid.notification', { kind: strange }).at('mutedKinds')
    if (quietHours && !isTimeZone(quietHours.timeZone))
      throw refusal(422, 'request.invalid.time-zone', { zone: quietHours.timeZone }).at('quietHours')
    if (quietHours && quietHours.begins === quietHours.ends)
      throw refusal(422, 'request.invalid.quiet-hours').at('quietHours')
    return store.inOneStep(() => {
      const before = this.settings(accountId)
      const settings: Settings = {
        mutedKinds: mutedKinds ? [...new Set(mutedKinds)].filter(isKind) : before.mutedKinds,
        // Ignore unknown servers silently, so nothing reveals which exist.
        mutedServers: [...new Set(mutedServers ?? before.mutedServers)].filter(
          (id) => this.#heldAt(accountId, id) !== null,
        ),
        quietHours: quietHours === undefined ? before.quietHours : quietHours,
      }
      store.notifications.changeSettings(accountId, JSON.stringify(settings))
      return settings
    })
  }

  newest(): number {
    return this.#options.store.notifications.newest()
  }

  /** Unread count, and notifications after number `after`, oldest first; none during quiet hours. */
  news(accountId: string, after: number): { unread: number; came: NotificationInput[]; newest: number } {
    const rows = this.#visible(accountId)
    const quiet = isQuiet(this.settings(accountId).quietHours, this.#options.clock.now())
    const came = quiet ? [] : rows.filter(({ seq, readAt }) => seq > after && readAt === null)
    return {
      unread: rows.filter(({ readAt }) => readAt === null).length,
      came: this.#shown(accountId, came.slice(0, PUSHED_MOST)).reverse(),
      newest: Math.max(after, rows[0]?.seq ?? 0),
    }
  }

  /** For data exports. */
  exportOf(accountId: string): { notifications: NotificationInput[]; notificationSettings: Settings } {
    return {
      notifications: this.#shown(accountId, this.#visible(accountId)),
      notificationSettings: this.settings(accountId),
    }
  }

  #visible(accountId: string): NotificationRow[] {
    const { store, clock } = this.#options
    const may = new Map<string, boolean>()
    return store.notifications.all(accountId, clock.seen() - KEPT_MS, clock.now()).filter(({ serverId }) => {
      if (serverId === null) return true
      const known = may.get(serverId) ?? this.#mayRead(accountId, serverId)
      may.set(serverId, known)
      return known
    })
  }

  #heldAt(accountId: string, serverId: string): GrantedScopes {
    const { access } = this.#options
    const server = access.byId(serverId)
    return server && access.held(accountId, server)
  }

  #mayRead(accountId: string, serverId: string): boolean {
    const held = this.#heldAt(accountId, serverId)
    return held === 'owner' || Boolean(held?.includes('server.read'))
  }

  #shown(accountId: string, rows: readonly NotificationRow[]): NotificationInput[] {
    const { language } = this.#options.store.accounts.byId(accountId) ?? {}
    return rows.flatMap((row) => {
      const said = NotificationValues.safeParse(JSON.parse(row.said))
      if (!said.success || !isKind(row.kind)) return []
      return [
        {
          id: row.id,
          kind: row.kind,
          ...wordsOf(row.kind, said.data, language),
          serverId: row.serverId,
          createdAt: isoTime(row.createdAt),
          readAt: row.readAt === null ? null : isoTime(row.readAt),
          values: said.data,
        },
      ]
    })
  }
}

const isKind = (kind: string): kind is NotificationKind =>
  (NOTIFICATION_KINDS as readonly string[]).includes(kind)
