import { z } from 'zod'
import { call } from './call.ts'

/** What the system tells of. `service`: what services push, and crashes; its kinds are muted in the notifications. */
export const ALERT_KINDS = ['service', 'started', 'joined', 'transfers', 'update'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** What a desktop may be without: on Linux some have no tray, or nothing that shows notifications. */
export type DesktopLack = 'tray' | 'notifications'

/** How the panel is part of a person's desktop. Only where it has a window of its own. */
export interface DesktopChoices {
  /** The panel stays in the tray when its windows are closed. */
  tray: boolean
  /** The system starts the panel, in the tray, as its own settings have it now. */
  autostart: boolean
  /** Servers of this computer run in the background from the next start of their service on, and stay when the panel quits. */
  keepServers: boolean
  alerts: Record<AlertKind, boolean>
  /** What this desktop does not have, as far as it says. Without a tray nothing stays in it, whatever is chosen. */
  lacks?: readonly DesktopLack[]
}

/** Whether the panel stays in the tray when its windows are closed: chosen, and there. */
export const staysInTray = ({ tray, lacks = [] }: Pick<DesktopChoices, 'tray' | 'lacks'>): boolean =>
  tray && !lacks.includes('tray')

const told = z.boolean().optional()
const alerts = z.object({
  service: told,
  started: told,
  joined: told,
  transfers: told,
  update: told,
} satisfies Record<AlertKind, z.ZodType>)

/** The panel outside of its page: in the tray, in notifications, at the start of the system. */
export const desktopCalls = {
  'desktop.choices': call<DesktopChoices>().of(z.undefined()),
  /**
   * What is not given stays. Problem `unavailable` in a browser, and for `autostart` and `keepServers` where the panel is
   * not installed; `conflict` where the system does not start it as chosen: then nothing was chosen.
   */
  'desktop.choose': call<DesktopChoices>().of(
    z.object({ tray: told, autostart: told, keepServers: told, alerts: alerts.optional() }),
  ),
  /** Moves what this window shows into a window of its own. Problem `unavailable` in a browser. */
  'desktop.tear-off': call<void>().of(z.undefined()),
  /** Moves what a torn-off window shows back into the first one, and closes it. Problem `unavailable` in a browser. */
  'desktop.put-back': call<void>().of(z.undefined()),
}
