import { app, Notification } from 'electron'
import type { Alert } from '../../desktop/alerts/alert.ts'
import { withoutMarkup } from '../../desktop/alerts/plain-text.ts'
import { TOAST_ACTIVATOR, WINDOWS_ID } from '../../desktop/autostart.ts'

const WAITING_MOST = 30

const waiting = new Set<Notification>()

/** Sets the app id and click activator. Call before the first notification. */
export function nameNotifications(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') return
  app.setToastActivatorCLSID(TOAST_ACTIVATOR)
  app.setAppUserModelId(WINDOWS_ID)
}

export function showAlert(
  { title, body, to, urgent }: Alert,
  go: (place: string) => void,
  platform: NodeJS.Platform = process.platform,
): void {
  if (!Notification.isSupported()) return
  const plain = platform === 'linux' ? withoutMarkup : (text: string) => text
  const shown = new Notification({
    ...{ title: plain(title), body: plain(body) },
    ...(urgent && { urgency: 'critical' as const }),
  })
  // Keep a reference: collected notifications lose their click.
  waiting.add(shown)
  for (const oldest of waiting) if (waiting.size > WAITING_MOST) waiting.delete(oldest)
  shown.on('click', () => go(to))
  // Windows also reports this when one moves to its list, where it stays clickable.
  shown.on('close', ({ reason }) => reason === 'timedOut' || waiting.delete(shown))
  shown.on('failed', () => waiting.delete(shown))
  shown.show()
}
