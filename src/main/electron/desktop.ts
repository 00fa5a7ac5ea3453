import { app, Notification } from 'electron'
import { staysInTray } from '../../contract/bridge/desktop-calls.ts'
import type { Settings } from '../../contract/bridge/values.ts'
import { Desktop } from '../desktop/desktop.ts'
import { parseDeepLink, placeOfLink } from '../desktop/deep-link.ts'
import type { Panel } from '../panel/panel.ts'
import { showAlert } from './tray/alerts.ts'
import { PanelTray } from './tray/tray.ts'
import type { PanelWindows } from './windows/windows.ts'

/** What the rest is given of the desktop. */
export interface PanelDesktop {
  /** When it is known what the person wants; resolves where that cannot be known too. */
  started: Promise<void>
  tray: PanelTray
  /** Whether the desktop has no tray any more; then none is counted on. Never rejects. */
  isTrayGone: () => Promise<boolean>
  /** Goes where a link leads, once it is known which services there are. */
  follow: (link: string) => void
  /** Shows nothing more: the panel ends. */
  stop: () => void
}

const nothing = () => undefined

/** Calls once after so many ms; answers how to call that off. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Shows the panel in the tray and in notifications, as far as a person wants that. */
export function showOnDesktop(
  opening: Promise<{ panel: Panel }>,
  windows: PanelWindows,
  { quit, onSettings }: { quit: () => void; onSettings: (settings: Settings) => void },
): PanelDesktop {
  let desktop: Desktop | null = null
  const go = (place?: string) => windows.show(place)
  const tray = new PanelTray({
    go,
    power: (server, action) => void desktop?.power(server, action),
    quit,
    platform: process.platform,
  })
  const started = opening.then(async ({ panel }) => {
    desktop = new Desktop({
      panel,
      showAlert: (alert) => showAlert(alert, go),
      showTray: (model) => tray.show(model),
      onChoices: (choices) => tray.wanted(staysInTray(choices)),
      onSettings,
      isLookedAt: () => windows.isLookedAt,
      systemLanguage: () => app.getLocale(),
      now: Date.now,
      elapsed: () => performance.now(),
      after,
    })
    await desktop.start()
    return desktop
  })
  const follow = (link: string) => {
    const parsed = parseDeepLink(link)
    if (!parsed) return
    const to = (place?: string) => windows.show(place)
    void started.then(
      ({ connections }) => to(placeOfLink(parsed, connections)),
      () => to(),
    )
  }
  const stop = () => desktop?.stop()
  const isTrayGone = async () => {
    await desktop?.lookAgain()
    return !tray.isThere
  }
  // What is left of older ones in Windows' own list, or of the last start, leads to the panel itself.
  if (process.platform === 'win32') Notification.handleActivation(() => go())
  return { tray, follow, stop, isTrayGone, started: started.then(nothing, nothing) }
}
