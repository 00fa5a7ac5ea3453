import { join } from 'node:path'
import { app, BrowserWindow, session } from 'electron'
import { type CrashHandler, endingSignals } from '../../host/crash-handler.ts'
import type { Flags } from './flags.ts'
import { programFile } from '../desktop/linux/autostart.ts'
import { answeringProxy } from '../local/answering-proxy.ts'
import { BackgroundHost } from '../local/background/background-host.ts'
import { systemUnit, type BackgroundUnit } from '../local/background/system-unit.ts'
import { localArgs } from '../local/open-local.ts'
import { serviceLauncher } from './child-programs.ts'

export const resolveProxy = (address: string) => session.defaultSession.resolveProxy(address)

/** Null from source, where the executable is Electron itself. */
export function backgroundUnit(dataDir: string): BackgroundUnit | null {
  if (!app.isPackaged) return null
  const { platform, env } = process
  // A service has no display, and the session's would end it with the session's windows.
  const headless = platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu'] : []
  const program = [programFile(), '--service', '--data', dataDir, ...headless]
  return systemUnit({ platform, env, dataDir, program })
}

/** Runs the local service without any UI, beside a panel or alone. Uncaught errors stop it cleanly. */
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
    // Windows announces the end of a session only to windows; this one stays hidden.
    if (process.platform === 'win32') new BrowserWindow({ show: false }).on('session-end', () => host.stop())
    app.exit(await host.run())
  })
  lastResort.whenRunning({
    // Called before `end`; a waiting panel gets the error.
    log: (error) => host.giveUp(error),
    end: () => running,
  })
}
