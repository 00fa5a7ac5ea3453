import { notifications as operations } from '../../../contract/areas/notifications.ts'
import { eventAnswer } from '../../http/pushed-events.ts'
import type { AccountStreams } from '../../hosting/notifications/account-streams.ts'
import type { Notifications } from '../../hosting/notifications/notifications.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'

const PAGE = 50

export function mountNotifications(
  app: ServiceApp,
  { notifications, streams }: { notifications: Notifications; streams: AccountStreams },
): void {
  serve(app, operations.list, ({ caller, query }) => {
    const before = query.cursor === undefined ? Infinity : fromCursor(query.cursor)
    const { items, next } = notifications.page(caller.accountId, before, query.limit ?? PAGE)
    return { items, nextCursor: next === null ? null : toCursor(next) }
  })
  serve(app, operations.read, ({ caller, body }) => notifications.markRead(caller.accountId, body.ids))
  serve(app, operations.settings, ({ caller }) => notifications.settings(caller.accountId))
  serve(app, operations.changeSettings, ({ caller, body }) =>
    notifications.changeSettings(caller.accountId, body),
  )
  serve(app, operations.events, ({ caller: { accountId }, checkSignIn, c }) =>
    eventAnswer(streams.open({ accountId, checkSignIn }), c),
  )
}

const toCursor = (seq: number): string => Buffer.from(`n${seq}`).toString('base64url')

function fromCursor(cursor: string): number {
  const seq = /^n(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (seq !== undefined) return Number(seq)
  throw refusal(422, 'request.invalid.cursor').at('cursor')
}
