import { app, Notification } from 'electron'
import type { Alert } from '../../desktop/alerts/alert.ts'
import { withoutMarkup } from '../../desktop/alerts/plain-text.ts'
import { TOAST_ACTIVATOR, WINDOWS_ID } from '../../desktop/windows-ids.ts'

/** Notifications that wait for a click; of older ones the system may still show what they say. */
const WAITING_MOST = 30

const waiting = new Set<Notification>()

/** Says whose notifications these are, and what a click on one starts later. To be called before the first one is shown. */
export function nameNotifications(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') return
  app.setToastActivatorCLSID(TOAST_ACTIVATOR)
  app.setAppUserModelId(WINDOWS_ID)
}

/** Has the system show an alert; a click leads to its place. Where the system shows none, nothing happens. */
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
  // Without a reference it would be collected, and its click with it.
  waiting.add(shown)
  for (const oldest of waiting) if (waiting.size > WAITING_MOST) waiting.delete(oldest)
  shown.on('click', () => go(to))
  // Windows says so too of one that goes to its list, where it can still be clicked.
  shown.on('close', ({ reason }) => reason === 'timedOut' || waiting.delete(shown))
  shown.on('failed', () => waiting.delete(shown))
  shown.show()
}
