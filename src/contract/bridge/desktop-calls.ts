import { z } from 'zod'
import { call } from './call.ts'

/** `service`: pushed by services, and crashes; its kinds are muted in the notification settings. */
export const ALERT_KINDS = ['service', 'started', 'joined', 'left', 'transfers', 'update'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Some Linux desktops have no tray or no notifications. */
export type DesktopLack = 'tray' | 'notifications'

export interface DesktopChoices {
  tray: boolean
  /** Start with the system, in the tray. Read from the system's own settings. */
  autostart: boolean
  /** Run local servers in the background, from the next start of their service, and keep them when the panel quits. */
  keepServers: boolean
  alerts: Record<AlertKind, boolean>
  /** Missing desktop features, as far as known. Without a tray, `tray` has no effect. */
  lacks?: readonly DesktopLack[]
}

export const staysInTray = ({ tray, lacks = [] }: Pick<DesktopChoices, 'tray' | 'lacks'>): boolean =>
  tray && !lacks.includes('tray')

const told = z.boolean().optional()
const alerts = z.object({
  service: told,
  started: told,
  joined: told,
  left: told,
  transfers: told,
  update: told,
} satisfies Record<AlertKind, z.ZodType>)

export const desktopCalls = {
  'desktop.choices': call<DesktopChoices>().of(z.undefined()),
  /**
   * Omitted fields stay unchanged. Problem `unavailable` in a browser, and for `autostart` and `keepServers` if the
   * panel isn't installed; `conflict` if the system refuses autostart: then nothing is changed.
   */
  'desktop.choose': call<DesktopChoices>().of(
    z.object({ tray: told, autostart: told, keepServers: told, alerts: alerts.optional() }),
  ),
  /** Moves this window's view to a new window. Problem `unavailable` in a browser. */
  'desktop.tear-off': call<void>().of(z.undefined()),
  /** Moves a torn-off view back to the first window and closes its own. Problem `unavailable` in a browser. */
  'desktop.put-back': call<void>().of(z.undefined()),
}
