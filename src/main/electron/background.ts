import { join } from 'node:path'
import { app, BrowserWindow, session } from 'electron'
import { endingSignals } from '../../host/ending-signals.ts'
import type { CrashHandler } from '../../host/crash-handler.ts'
import type { Flags } from './flags.ts'
import { programFile } from '../desktop/linux/autostart.ts'
import { answeringProxy } from '../local/answering-proxy.ts'
import { BackgroundHost } from '../local/background/background-host.ts'
import type { BackgroundUnit } from '../local/background/background-unit.ts'
import { systemUnit } from '../local/background/system-unit.ts'
import { localArgs } from '../local/open-local.ts'
import { serviceLauncher } from './child-programs.ts'

/** How the system reaches an address, as a PAC script answers; asked once Electron is ready. */
export const resolveProxy = (address: string) => session.defaultSession.resolveProxy(address)

/** How the system runs this program as `--service`; null from its sources, where it would be Electron that runs. */
export function backgroundUnit(dataDir: string): BackgroundUnit | null {
  if (!app.isPackaged) return null
  const { platform, env } = process
  // Without a display: that of the session is not there for a service, and would end it with the session's windows.
  const headless = platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu'] : []
  const program = [programFile(), '--service', '--data', dataDir, ...headless]
  return systemUnit({ platform, env, dataDir, program })
}

/**
 * Runs the service of this computer until it is told to end: no window, no icon, no dialog, and beside a panel. An error
 * that nobody caught stops it in good order.
 */
export function runInBackground(dataDir: string, flags: Flags, lastResort: CrashHandler): void {
  app.setPath('userData', join(dataDir, 'window', 'service'))
  app.dock?.hide()
  const host = new BackgroundHost({
    ...{ dataDir, launcher: answeringProxy(serviceLauncher(), resolveProxy), version: app.getVersion() },
    args: localArgs(dataDir, flags.node),
  })
  for (const signal of endingSignals) process.on(signal, () => host.stop())
  app.on('before-quit', (event) => {
    event.preventDefault()
    host.stop()
  })
  const running = app.whenReady().then(async () => {
    // Windows tells only windows that the session ends; this one is never shown.
    if (process.platform === 'win32') new BrowserWindow({ show: false }).on('session-end', () => host.stop())
    app.exit(await host.run())
  })
  lastResort.whenRunning({
    // Its first call comes before `end`: it is what a panel that waits is told.
    log: (error) => host.giveUp(error),
    end: () => running,
  })
}
