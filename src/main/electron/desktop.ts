import { app, Notification } from 'electron'
import { staysInTray } from '../../contract/bridge/desktop-calls.ts'
import type { Settings } from '../../contract/bridge/values.ts'
import { Desktop } from '../desktop/desktop.ts'
import { parseDeepLink, placeOfLink } from '../desktop/deep-link.ts'
import type { Panel } from '../panel/panel.ts'
import { showAlert } from './tray/alerts.ts'
import { PanelTray } from './tray/tray.ts'
import type { PanelWindows } from './windows/windows.ts'

export interface PanelDesktop {
  started: Promise<void>
  tray: PanelTray
  isTrayGone: () => Promise<boolean>
  follow: (link: string) => void
  stop: () => void
}

const nothing = () => undefined

export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export function showOnDesktop(
  opening: Promise<{ panel: Panel }>,
  windows: PanelWindows,
  { quit, onSettings }: { quit: () => void; onSettings: (settings: Settings) => void },
): PanelDesktop {
  let desktop: Desktop | null = null
  const go = (place?: string) => windows.show(place)
  const tray = new PanelTray({
    go,
    power: (server, action, how) => void desktop?.power(server, action, how),
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
  // Old notifications in Windows' list just open the panel.
  if (process.platform === 'win32') Notification.handleActivation(() => go())
  return { tray, follow, stop, isTrayGone, started: started.then(nothing, nothing) }
}
