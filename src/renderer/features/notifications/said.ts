import type { Notification, NotificationValues } from '../../../contract/areas/notifications.ts'
import { bytes, dateTime } from '../../messages/format.ts'
import { t } from '../../messages/t.svelte.ts'

/** In characters, because foreign services may send any length. */
const TITLE_MOST = 200
const TEXT_MOST = 600

const short = (text: string | null | undefined, most = TITLE_MOST): string =>
  (text ?? '').trim().slice(0, most)

/** In the window's language if the kind is known and complete; else in the service's words. */
export function said(notification: Notification): { title: string; text: string } {
  const own = inOwnWords(notification)
  if (own) return own
  const title = short(notification.title)
  const text = short(notification.body, TEXT_MOST)
  if (title) return { title, text }
  return text ? { title: text, text: '' } : { title: unnamed(notification), text: '' }
}

const unnamed = ({ kind }: Notification): string =>
  typeof kind === 'object' ? short(kind?.raw) || t('notifications.untitled') : t('notifications.untitled')

const named = (title: string, text = '') => ({ title, text })

function inOwnWords({ kind, values }: Notification): { title: string; text: string } | null {
  if (!values || typeof kind !== 'string') return null
  const server = short(values.server)
  const by = short(values.by) || t('notifications.somebody')
  switch (kind) {
    case 'crash':
      if (!server) return null
      return named(
        t('notifications.crash', { server }),
        typeof values.exitCode === 'number'
          ? t('notifications.crash-code', { code: values.exitCode })
          : t('notifications.crash-text'),
      )
    case 'start':
      return server ? named(t('notifications.start', { by, server })) : null
    case 'stop': {
      const { action } = values
      const key = action === 'restart' || action === 'kill' ? action : 'stop'
      return server ? named(t(`notifications.${key}`, { by, server })) : null
    }
    case 'invitation':
      return server ? named(t('notifications.invitation', { by, server })) : null
    case 'disk':
      return ofDisk(server, values)
    case 'sign-in': {
      const device = short(values.device) || t('notifications.unknown-device')
      const address = short(values.address)
      if (!address) return null
      return named(t('notifications.sign-in'), t('notifications.sign-in-text', { device, address }))
    }
    case 'promotion': {
      const promotion = short(values.promotion)
      if (!promotion) return null
      return named(
        values.until
          ? t('notifications.promotion-ends', { promotion, time: dateTime(values.until) })
          : t('notifications.promotion', { promotion }),
      )
    }
    case 'backup':
      return server ? ofBackup(server, values) : null
    case 'schedule': {
      const schedule = short(values.schedule)
      const { action } = values
      const key = action === 'paused' || action === 'interrupted' ? action : 'failed'
      return server && schedule ? named(t(`notifications.schedule-${key}`, { server, schedule })) : null
    }
    case 'leftovers': {
      const folder = short(values.folder)
      if (!server || !folder) return null
      return named(t('notifications.leftovers', { server }), t('notifications.leftovers-text', { folder }))
    }
  }
}

function ofBackup(server: string, { action, target }: NotificationValues) {
  if (action === 'overdue')
    return named(t('notifications.backup-overdue', { server }), t('notifications.backup-overdue-text'))
  const place = short(target)
  const title = place
    ? t('notifications.backup-not-copied', { server, target: place })
    : t('notifications.backup', { server })
  return named(title, t('notifications.backup-text'))
}

function ofDisk(server: string, { usedBytes, limitBytes, freeBytes }: NonNullable<Notification['values']>) {
  if (server && typeof usedBytes === 'number' && typeof limitBytes === 'number') {
    const title = t('notifications.disk-server', { server })
    return {
      title,
      text: t('notifications.disk-server-text', { used: bytes(usedBytes), limit: bytes(limitBytes) }),
    }
  }
  if (server || typeof freeBytes !== 'number') return null
  return { title: t('notifications.disk'), text: t('notifications.disk-text', { free: bytes(freeBytes) }) }
}
